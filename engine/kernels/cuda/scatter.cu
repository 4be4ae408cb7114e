// Reading and writing along a dimension, each element or each slice at a
// position of its own.

#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/write_elements.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// A 0-dimensional tensor as a vector of one.
Tensor at_least_vector(const Tensor& t) { return t.dim() == 0 ? views::unsqueeze(t, 0) : t; }

/// The first elements of each dimension, under these sizes, without a step
/// along one dimension.
Tensor without_step(const Tensor& t, const Dims& sizes, size_t dim) {
  Dims strides = at_least_vector(t).strides();
  strides[dim] = 0;
  return seen_as(t, sizes, strides);
}

void gather(Call& c) {
  Tensor self = c.tensor(arg::self), index = at_least_vector(c.tensor(arg::index)),
         out = at_least_vector(c.out());
  if (index.numel() == 0) return;
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  Positions positions = positions_along(self, dim, index, false);
  base::check(positions.size > 0, "index out of bounds for dimension ", dim, " with size 0");
  gather_elements(c, out, without_step(self, index.sizes(), static_cast<size_t>(dim)), positions);
}

/// How an operator writes: the join, and whether a sum becomes a mean.
struct Manner {
  Join how = Join::replace;
  bool mean = false;
};

Manner manner_of(const std::string& name) {
  if (name == "add" || name == "sum") return {Join::sum};
  if (name == "multiply" || name == "prod") return {Join::product};
  if (name == "amin") return {Join::minimum};
  if (name == "amax") return {Join::maximum};
  return {Join::sum, true};
}

/// The value that changes nothing when it is joined, on the CPU.
Tensor identity_of(Join how, DType dtype) {
  Tensor identity = Tensor::empty({}, dtype);
  common::over_all(dtype, "scatter", [&](auto zero) {
    using T = decltype(zero);
    T value{};
    if (how == Join::product) value = static_cast<T>(1);
    if (how == Join::minimum || how == Join::maximum) {
      if constexpr (common::is_floating_type<T>) {
        float endless = std::numeric_limits<float>::infinity();
        value = static_cast<T>(how == Join::minimum ? endless : -endless);
      } else if constexpr (!common::is_complex_type<T>) {
        using Limits = std::numeric_limits<T>;
        value = how == Join::minimum ? T(Limits::max()) : T(Limits::lowest());
      }
    }
    *identity.device_data<T>() = value;
  });
  return identity;
}

/// A number as an element, on the CPU.
Tensor number_of(const core::Scalar& number, DType dtype) {
  Tensor made = Tensor::empty({}, dtype);
  common::fill_elements(made, number);
  return made;
}

/// Sums divided by how many numbers they are of; those of integers round down.
template <typename T>
struct DivideBody {
  std::byte* sums;
  const std::byte* counts;
  Layout<2> layout;

  static ASSAY_ANYWHERE T mean_of(T sum, int64_t n) {
    if constexpr (std::is_integral_v<T>) {
      auto wide = static_cast<int64_t>(sum);
      return static_cast<T>(wide / n - (wide % n < 0));
    } else if constexpr (is_complex_type<T>) {
      return sum / static_cast<typename T::value_type>(n);
    } else {
      return convert<T>(convert<Computed<T>>(sum) / static_cast<Computed<T>>(n));
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    int64_t n = *reinterpret_cast<const int64_t*>(counts + at.of[1]);
    T& sum = *reinterpret_cast<T*>(sums + at.of[0]);
    if (n > 1) sum = mean_of(sum, n);
  }
};

template <typename T>
void run_divide(const Call& c, const Tensor& sums, const Tensor& counts) {
  auto layout = Layout<2>::of(sums.sizes(), {sums, counts});
  if constexpr (!std::is_same_v<T, core::Bool>) {
    for_each(queue_of(c), layout.count,
             DivideBody<T>{sums.device_address(), counts.device_address(), layout});
  }
}

/// Writes, and makes means of the sums if it is to. `w` lacks the manner.
void write_all(const Call& c, const Tensor& target, Writing w, Manner manner, bool include_self) {
  auto along = static_cast<size_t>(w.along);
  Tensor seen = without_step(target, w.sizes, along);
  if (!include_self) {
    Writing first = w;
    first.source = identity_of(manner.how, target.dtype());
    first.factor = 1;
    write_elements(c, seen, first);
  }
  w.how = manner.how;
  write_elements(c, seen, w);
  if (!manner.mean || target.dtype() == DType::boolean) return;
  Tensor counts = Tensor::empty(target.sizes(), DType::int64, c.device());
  fill_elements(c, counts, include_self ? 1 : 0);
  Writing count = w;
  count.positions.stride = counts.dim() == 0 ? 0 : counts.stride(along);
  count.source = number_of(1, DType::int64);
  count.factor = 1;
  write_elements(c, without_step(counts, w.sizes, along), count);
  common::over_all(target.dtype(), "scatter",
                   [&](auto zero) { run_divide<Stored<decltype(zero)>>(c, target, counts); });
}

/// The tensor, or a copy where it may be a part of the target.
Tensor apart_from(const Call& c, const Tensor& source, const Tensor& target) {
  if (!common::may_overlap(source, target)) return source;
  Tensor apart = Tensor::empty(source.sizes(), source.dtype(), source.device());
  copy_elements(c, apart, source);
  return apart;
}

void scatter_into(const Call& c, const Tensor& target, Manner manner, bool include_self) {
  Tensor index = at_least_vector(c.tensor(arg::index));
  if (index.numel() == 0) return;
  int64_t dim = core::wrap_dim(c.integer(arg::dim), target.dim());
  Writing w;
  w.positions = positions_along(target, dim, index, false);
  base::check(w.positions.size > 0, "index out of bounds for dimension ", dim, " with size 0");
  w.along = static_cast<size_t>(dim);
  w.sizes = index.sizes();
  if (c.has(arg::src)) {
    Tensor source = at_least_vector(apart_from(c, c.tensor(arg::src), target));
    w.source = seen_as(source, w.sizes, source.strides());
  } else {
    w.source = number_of(c.scalar(arg::value), target.dtype());
  }
  write_all(c, target, w, manner, include_self);
}

void scatter_replace(const Call& c, const Tensor& t) { scatter_into(c, t, {}, true); }
void scatter_combine(const Call& c, const Tensor& t) {
  const std::string& name = c.string(arg::reduce);
  base::check(name == "add" || name == "multiply",
              "reduce argument must be either add or multiply.");
  scatter_into(c, t, manner_of(name), true);
}
void scatter_add(const Call& c, const Tensor& t) { scatter_into(c, t, {Join::sum}, true); }
void scatter_reduce(const Call& c, const Tensor& t) {
  const std::string& name = c.string(arg::reduce);
  bool known =
      name == "sum" || name == "prod" || name == "mean" || name == "amax" || name == "amin";
  base::check(known, "reduce argument must be either sum, prod, mean, amax or amin.");
  scatter_into(c, t, manner_of(name), c.boolean(arg::include_self));
}

/// Slices of the source go to the slices of the target that the index names.
void write_parts(const Call& c, const Tensor& target, Tensor source, bool wraps, Manner manner,
                 bool include_self, const core::Scalar& factor = 1) {
  Tensor index = at_least_vector(c.tensor(arg::index));
  int64_t dim = core::wrap_dim(c.integer(arg::dim), target.dim());
  Writing w;
  w.along = static_cast<size_t>(dim);
  w.sizes = at_least_vector(target).sizes();
  w.sizes[w.along] = index.numel();
  w.positions = positions_along(target, dim, index, wraps);
  if (core::numel(w.sizes) == 0) return check_positions(c, target, w.positions);
  base::check_index(w.positions.size > 0, "index out of range in self");
  Dims strides(w.sizes.size(), 0);
  strides[w.along] = index.stride(0);
  w.positions.index = seen_as(index, w.sizes, strides);
  bool number = source.device() != c.device();
  if (!number) {
    if (source.dim() == 0) source = seen_as(source, w.sizes, Dims(w.sizes.size(), 0));
    if (target.dim() == 0) source = views::view(contiguous(c, source), w.sizes);
  }
  w.source = source;
  w.factor = factor;
  write_all(c, target, w, manner, include_self);
}

void add_parts(const Call& c, const Tensor& target) {
  write_parts(c, target, apart_from(c, c.tensor(arg::source), target), false, {Join::sum}, true,
              c.scalar(arg::alpha));
}
void copy_parts(const Call& c, const Tensor& target) {
  write_parts(c, target, apart_from(c, c.tensor(arg::source), target), false, {}, true);
}
void reduce_parts(const Call& c, const Tensor& target) {
  const std::string& name = c.string(arg::reduce);
  bool known = name == "prod" || name == "mean" || name == "amax" || name == "amin";
  base::check(known, "reduce argument must be either prod, mean, amax or amin");
  write_parts(c, target, apart_from(c, c.tensor(arg::source), target), false, manner_of(name),
              c.boolean(arg::include_self));
}
void fill_parts(const Call& c, const Tensor& target) {
  Tensor number;
  if (c.value(arg::value).is_tensor()) {
    Tensor value = c.tensor(arg::value);
    number = Tensor::empty({}, target.dtype(), value.device());
    if (value.device().type == core::DeviceType::cpu)
      common::copy_elements(number, value);
    else
      copy_elements(c, number, value);
  } else {
    number = number_of(c.scalar(arg::value), target.dtype());
  }
  write_parts(c, target, number, true, {}, true);
}

using Change = void (*)(const Call&, const Tensor&);

/// A changed copy of the first argument.
template <Change change>
void changed(Call& c) {
  copy_elements(c, c.out(), c.tensor(arg::self));
  change(c, c.out());
}
/// The first argument, changed.
template <Change change>
void in_place(Call& c) {
  change(c, c.tensor(arg::self));
  c.finish(c.value(arg::self));
}

constexpr ops::Kernel scatter_table[] = {
    {"aten::gather", gather},
    {"aten::scatter.src", changed<scatter_replace>},
    {"aten::scatter.value", changed<scatter_replace>},
    {"aten::scatter.reduce", changed<scatter_combine>},
    {"aten::scatter.value_reduce", changed<scatter_combine>},
    {"aten::scatter_.src", in_place<scatter_replace>},
    {"aten::scatter_.value", in_place<scatter_replace>},
    {"aten::scatter_.reduce", in_place<scatter_combine>},
    {"aten::scatter_.value_reduce", in_place<scatter_combine>},
    {"aten::scatter_add", changed<scatter_add>},
    {"aten::scatter_add_", in_place<scatter_add>},
    {"aten::scatter_reduce.two", changed<scatter_reduce>},
    {"aten::scatter_reduce_.two", in_place<scatter_reduce>},
    {"aten::index_add", changed<add_parts>},
    {"aten::index_add_", in_place<add_parts>},
    {"aten::index_copy", changed<copy_parts>},
    {"aten::index_copy_", in_place<copy_parts>},
    {"aten::index_reduce", changed<reduce_parts>},
    {"aten::index_reduce_", in_place<reduce_parts>},
    {"aten::index_fill.int_Scalar", changed<fill_parts>},
    {"aten::index_fill.int_Tensor", changed<fill_parts>},
    {"aten::index_fill_.int_Scalar", in_place<fill_parts>},
    {"aten::index_fill_.int_Tensor", in_place<fill_parts>},
};

}  // namespace

std::span<const ops::Kernel> scatter_kernels() { return scatter_table; }

}  // namespace assay::kernels::cuda
