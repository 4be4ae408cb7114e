#include <cmath>
#include <limits>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using common::copy_elements;
using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// How a written element is accumulated into the one that is there.
enum class AccumulateMode { replace, sum, product, minimum, maximum, mean };

AccumulateMode accumulate_mode_of(const std::string& name) {
  if (name == "add" || name == "sum") return AccumulateMode::sum;
  if (name == "multiply" || name == "prod") return AccumulateMode::product;
  if (name == "amin") return AccumulateMode::minimum;
  if (name == "amax") return AccumulateMode::maximum;
  return AccumulateMode::mean;
}

template <typename T>
bool is_nan(T value) {
  if constexpr (common::is_floating_type<T>) return std::isnan(static_cast<double>(value));
  return false;
}

template <typename T>
T accumulated(AccumulateMode mode, T there, T value) {
  if constexpr (std::is_same_v<T, core::Bool>) {
    if (mode == AccumulateMode::replace) return value;
    return mode == AccumulateMode::product || mode == AccumulateMode::minimum ? there && value
                                                                              : there || value;
  } else {
    switch (mode) {
      case AccumulateMode::sum:
      case AccumulateMode::mean:
        return static_cast<T>(there + value);
      case AccumulateMode::product:
        return static_cast<T>(there * value);
      case AccumulateMode::minimum:
      case AccumulateMode::maximum:
        if constexpr (!common::is_complex_type<T>) {
          if (is_nan(there)) return there;
          bool takes = mode == AccumulateMode::minimum ? value < there : value > there;
          return takes || is_nan(value) ? value : there;
        }
        return there;
      default:
        return value;
    }
  }
}

/// The value that changes nothing when it is accumulated.
template <typename T>
T identity_element(AccumulateMode mode) {
  if (mode == AccumulateMode::product) return static_cast<T>(1);
  if (mode == AccumulateMode::sum || mode == AccumulateMode::mean) return T{};
  if constexpr (common::is_complex_type<T>) {
    return T{};
  } else if constexpr (common::is_floating_type<T>) {
    float endless = std::numeric_limits<float>::infinity();
    return static_cast<T>(mode == AccumulateMode::minimum ? endless : -endless);
  } else {
    using Limits = std::numeric_limits<T>;
    return mode == AccumulateMode::minimum ? Limits::max() : Limits::lowest();
  }
}

/// The sum of n values divided by n; integers round down.
template <typename T>
T mean_of(T sum, int64_t n) {
  if (n <= 1) return sum;
  if constexpr (std::is_integral_v<T>) {
    auto wide = static_cast<int64_t>(sum);
    return static_cast<T>(wide / n - (wide % n < 0));
  } else if constexpr (common::is_complex_type<T>) {
    return sum / static_cast<typename T::value_type>(n);
  } else {
    return static_cast<T>(static_cast<common::Computed<T>>(sum) /
                          static_cast<common::Computed<T>>(n));
  }
}

int64_t checked(int64_t at, int64_t dim, int64_t size) {
  base::check(at >= 0 && at < size, "index ", at, " is out of bounds for dimension ", dim,
              " with size ", size);
  return at;
}

/// self[index[i][j]][j] for dim 0, self[i][index[i][j]] for dim 1: the target's strides without a
/// step along `dim`, which the index decides.
struct Along {
  Along(const Tensor& t, int64_t along) : dim(along) {
    strides = t.strides();
    if (t.dim() > 0) {
      size = t.size(static_cast<size_t>(dim));
      stride = strides[static_cast<size_t>(dim)];
      strides[static_cast<size_t>(dim)] = 0;
    } else {
      strides.push_back(0);
    }
  }
  int64_t dim, size = 1, stride = 0;
  Dims strides;
};

/// A 0-dimensional tensor as a vector of one.
Tensor at_least_vector(const Tensor& t) { return t.dim() == 0 ? views::unsqueeze(t, 0) : t; }

void gather(Call& c) {
  Tensor self = c.tensor(arg::self), index = at_least_vector(c.tensor(arg::index)),
         out = at_least_vector(c.out());
  if (index.numel() == 0) return;
  Along along(self, core::wrap_dim(c.integer(arg::dim), self.dim()));
  const int64_t* position = index.device_data<int64_t>();
  common::over_sizes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.device_words<T>();
    T* to = out.device_words<T>();
    common::for_each_offset<3>(index.sizes(), {along.strides, index.strides(), out.strides()},
                               [&](const auto& at) {
                                 int64_t chosen = checked(position[at[1]], along.dim, along.size);
                                 to[at[2]] = from[at[0] + chosen * along.stride];
                               });
  });
}

/// Calls `write(target offset, source offset)` for every element of the index.
template <typename Write>
void for_each_scattered(const Tensor& target, int64_t dim, const Tensor& index,
                        const Tensor& source, Write write) {
  Along along(target, dim);
  Dims source_strides = source ? source.strides() : Dims(index.sizes().size(), 0);
  const int64_t* position = index.device_data<int64_t>();
  common::for_each_offset<3>(index.sizes(), {along.strides, index.strides(), source_strides},
                             [&](const auto& at) {
                               int64_t chosen = checked(position[at[1]], dim, along.size);
                               write(at[0] + chosen * along.stride, at[2]);
                             });
}

void scatter_into(const Call& c, const Tensor& target, AccumulateMode mode, bool include_self) {
  Tensor index = at_least_vector(c.tensor(arg::index));
  if (index.numel() == 0) return;
  int64_t dim = core::wrap_dim(c.integer(arg::dim), target.dim());
  Tensor source = c.has(arg::src) ? at_least_vector(c.tensor(arg::src)) : Tensor();
  if (source && common::may_overlap(source, target)) {
    Tensor apart = Tensor::empty(source.sizes(), source.dtype(), source.device());
    copy_elements(apart, source);
    source = apart;
  }
  common::over_all(target.dtype(), "scatter", [&](auto zero) {
    using T = decltype(zero);
    T* to = target.device_data<T>();
    T number = source ? T{} : c.scalar(arg::value).to<T>();
    const T* from = source ? source.device_data<T>() : &number;
    if (!include_self) {
      for_each_scattered(target, dim, index, {},
                         [&](int64_t at, int64_t) { to[at] = identity_element<T>(mode); });
    }
    for_each_scattered(target, dim, index, source, [&](int64_t at, int64_t i) {
      to[at] = accumulated<T>(mode, to[at], from[i]);
    });
    if constexpr (!std::is_same_v<T, core::Bool>) {
      if (mode != AccumulateMode::mean) return;
      Tensor counts = Tensor::empty_strided(target.sizes(), target.strides(), DType::int64);
      common::fill_elements(counts, include_self ? 1 : 0);
      int64_t* count = counts.device_data<int64_t>();
      for_each_scattered(target, dim, index, {}, [&](int64_t at, int64_t) { ++count[at]; });
      common::map<T, T, int64_t>(mean_of<T>, target, target, counts);
    }
  });
}

AccumulateMode scatter_mode(const Call& c) {
  const std::string& name = c.string(arg::reduce);
  base::check(name == "add" || name == "multiply",
              "reduce argument must be either add or multiply.");
  return accumulate_mode_of(name);
}
AccumulateMode reduction(const std::string& name) {
  bool known =
      name == "sum" || name == "prod" || name == "mean" || name == "amax" || name == "amin";
  base::check(known, "reduce argument must be either sum, prod, mean, amax or amin.");
  return accumulate_mode_of(name);
}

void scatter_replace(const Call& c, const Tensor& t) {
  scatter_into(c, t, AccumulateMode::replace, true);
}
void scatter_combine(const Call& c, const Tensor& t) { scatter_into(c, t, scatter_mode(c), true); }
void scatter_add(const Call& c, const Tensor& t) { scatter_into(c, t, AccumulateMode::sum, true); }
void scatter_reduce(const Call& c, const Tensor& t) {
  scatter_into(c, t, reduction(c.string(arg::reduce)), c.boolean(arg::include_self));
}

/// Calls `write(part of the target, part of the source)` for each element of a vector along a
/// dimension.
template <typename Write>
void for_each_part(const Call& c, const Tensor& target, const Tensor& source, const char* message,
                   Write write) {
  Tensor positions = common::packed_as(c.tensor(arg::index), DType::int64);
  const int64_t* position = positions.device_data<int64_t>();
  int64_t dim = core::wrap_dim(c.integer(arg::dim), target.dim());
  int64_t size = target.dim() == 0 ? 1 : target.size(static_cast<size_t>(dim));
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < positions.numel(); ++i) {
    deadline.tick();
    bool there = position[i] >= 0 && position[i] < size;
    base::check_index(there || !*message, message);
    base::check_index(there, "index_copy_(): index ", position[i],
                      " is out of bounds for dimension ", dim, " with size ", size);
    write(target.dim() == 0 ? target : views::select(target, dim, position[i]),
          source.dim() == 0 ? source : views::select(source, dim, i));
  }
}

Tensor source_apart(const Call& c, const Tensor& target) {
  Tensor source = c.tensor(arg::source);
  if (!common::may_overlap(source, target)) return source;
  Tensor apart = Tensor::empty(source.sizes(), source.dtype(), source.device());
  copy_elements(apart, source);
  return apart;
}

void add_parts(const Call& c, const Tensor& target) {
  common::over_all(target.dtype(), "index_add_", [&](auto zero) {
    using T = decltype(zero);
    T alpha = c.scalar(arg::alpha).to<T>();
    for_each_part(c, target, source_apart(c, target), "index out of range in self",
                  [&](const Tensor& to, const Tensor& from) {
                    auto add = [&](T a, T b) {
                      if constexpr (std::is_same_v<T, core::Bool>)
                        return a || (alpha && b);
                      else
                        return static_cast<T>(a + static_cast<T>(alpha * b));
                    };
                    common::map<T, T, T>(add, to, to, views::expand(from, to.sizes()));
                  });
  });
}

void copy_parts(const Call& c, const Tensor& target) {
  for_each_part(c, target, source_apart(c, target), "", copy_elements);
}

void reduce_parts(const Call& c, const Tensor& target) {
  const std::string& name = c.string(arg::reduce);
  bool known = name == "prod" || name == "mean" || name == "amax" || name == "amin";
  base::check(known, "reduce argument must be either prod, mean, amax or amin");
  AccumulateMode mode = accumulate_mode_of(name);
  bool include_self = c.boolean(arg::include_self);
  const char* message = "index out of range in self";
  Tensor source = source_apart(c, target);
  common::over_all(target.dtype(), "index_reduce", [&](auto zero) {
    using T = decltype(zero);
    if (!include_self) {
      for_each_part(c, target, source, message, [&](const Tensor& to, const Tensor&) {
        common::map<T>([&] { return identity_element<T>(mode); }, to);
      });
    }
    for_each_part(c, target, source, message, [&](const Tensor& to, const Tensor& from) {
      common::map<T, T, T>([&](T a, T b) { return accumulated<T>(mode, a, b); }, to, to, from);
    });
    if constexpr (!std::is_same_v<T, core::Bool>) {
      if (mode != AccumulateMode::mean) return;
      Tensor counts = Tensor::empty(target.sizes(), DType::int64);
      common::fill_elements(counts, include_self ? 1 : 0);
      for_each_part(c, counts, source, message, [&](const Tensor& to, const Tensor&) {
        common::map<int64_t, int64_t>([](int64_t n) { return n + 1; }, to, to);
      });
      common::map<T, T, int64_t>(mean_of<T>, target, target, counts);
    }
  });
}

void fill_parts(const Call& c, const Tensor& target) {
  core::Scalar number;
  if (c.value(arg::value).is_tensor()) {
    Tensor value = common::packed_as(c.tensor(arg::value), target.dtype());
    common::over_all(value.dtype(), "index_fill_", [&](auto zero) {
      using T = decltype(zero);
      if constexpr (common::is_complex_type<T>)
        number = core::Complex128(*value.device_data<T>());
      else if constexpr (common::is_floating_type<T>)
        number = static_cast<double>(*value.device_data<T>());
      else
        number = static_cast<int64_t>(*value.device_data<T>());
    });
  } else {
    number = c.scalar(arg::value);
  }
  Tensor positions = common::packed(c.tensor(arg::index));
  int64_t dim = core::wrap_dim(c.integer(arg::dim), target.dim());
  int64_t size = target.dim() == 0 ? 1 : target.size(static_cast<size_t>(dim));
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < positions.numel(); ++i) {
    deadline.tick();
    int64_t at = positions.device_data<int64_t>()[i];
    base::check_index(at >= -size && at < size, "index ", at, " is out of bounds for dimension ",
                      dim, " with size ", size);
    common::fill_elements(target.dim() == 0 ? target : views::select(target, dim, at), number);
  }
}

using Change = void (*)(const Call&, const Tensor&);

/// A changed copy of the first argument.
template <Change change>
void changed(Call& c) {
  copy_elements(c.out(), c.tensor(arg::self));
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

}  // namespace assay::kernels::reference
