#include <algorithm>
#include <cstring>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/advanced_index.h"
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
using ops::AdvancedIndex;
using ops::Call;

/// Where an advanced index reaches, in elements: positions before the indexed dimensions, at the
/// index tensors' positions, and after.
struct Reach {
  explicit Reach(const AdvancedIndex& plan) {
    const Dims &sizes = plan.self.sizes(), &strides = plan.self.strides();
    auto offsets = [&](size_t from, size_t to) {
      return common::element_offsets(Dims(sizes.begin() + from, sizes.begin() + to),
                                     Dims(strides.begin() + from, strides.begin() + to));
    };
    before = offsets(0, plan.first);
    after = offsets(plan.after(), sizes.size());
    indexed.assign(static_cast<size_t>(core::numel(plan.index_sizes)), 0);
    for (size_t i = 0; i < plan.indices.size(); ++i) add(plan, i);
  }

  std::vector<int64_t> before, indexed, after;

 private:
  void add(const AdvancedIndex& plan, size_t i) {
    Tensor positions = common::packed(plan.indices[i]);
    const int64_t* position = positions.device_data<int64_t>();
    int64_t size = plan.self.size(plan.first + i), stride = plan.self.stride(plan.first + i);
    for (int64_t& offset : indexed) {
      int64_t at = *position++;
      base::check_index(at >= -size && at < size, "index ", at, " is out of bounds for dimension ",
                        plan.first + i, " with size ", size);
      offset += (at < 0 ? at + size : at) * stride;
    }
  }
};

/// The plan for any index tensors; masks are read.
AdvancedIndex plan_of(const Call& c, const Tensor& self) {
  auto indices = c.tensors(arg::indices);
  if (ops::has_mask(indices)) {
    c.synchronized();
    indices = ops::expand_masks(self, indices);
  }
  return ops::plan_index(self, indices);
}

void index(Call& c) {
  Tensor self = c.tensor(arg::self);
  AdvancedIndex plan = plan_of(c, self);
  bool made = c.declared();
  Dims sizes = plan.sizes();
  Tensor out =
      made ? c.out()
           : Tensor::empty_strided(sizes, plan.result_strides(), self.dtype(), self.device());
  Tensor packed = out.is_contiguous() ? out : Tensor::empty(sizes, self.dtype(), self.device());
  if (out.numel() > 0) {
    Reach reach(plan);
    common::over_sizes(self.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const T* from = plan.self.device_words<T>();
      T* to = packed.device_words<T>();
      for (int64_t b : reach.before) {
        for (int64_t i : reach.indexed) {
          for (int64_t a : reach.after) *to++ = from[b + i + a];
        }
      }
    });
  }
  if (!packed.same(out)) copy_elements(out, packed);
  if (!made) c.finish(out);
}

void put_at(const Call& c, const Tensor& target) {
  AdvancedIndex plan = plan_of(c, target);
  Dims sizes = plan.sizes();
  Tensor values = c.tensor(arg::values);
  // A number set at a mask may have any number of dimensions.
  auto given = c.tensors(arg::indices);
  bool fills = given.size() == 1 && ops::has_mask(given) && values.numel() == 1 &&
               !c.boolean(arg::accumulate);
  if (fills) values = views::view(values, Dims{});
  bool fits = values.sizes().size() <= sizes.size();
  for (size_t d = 0; d < values.sizes().size() && fits; ++d) {
    int64_t have = values.size(values.sizes().size() - 1 - d), want = sizes[sizes.size() - 1 - d];
    fits = have == want || have == 1;
  }
  base::check(fits, "shape mismatch: value tensor of shape ", c.tensor(arg::values).sizes(),
              " cannot be broadcast to indexing result of shape ", sizes);
  if (core::numel(sizes) == 0) return;
  // The values may be a part of the target.
  Tensor apart = Tensor::empty(sizes, target.dtype(), target.device());
  copy_elements(apart, values);
  Reach reach(plan);
  bool accumulate = c.boolean(arg::accumulate);
  common::over_all(target.dtype(), "index_put", [&](auto zero) {
    using T = decltype(zero);
    T* to = plan.self.device_data<T>();
    const T* from = apart.device_data<T>();
    for (int64_t b : reach.before) {
      for (int64_t i : reach.indexed) {
        for (int64_t a : reach.after) {
          T& element = to[b + i + a];
          T value = *from++;
          if constexpr (std::is_same_v<T, core::Bool>) {
            element = (accumulate && element) || value;
          } else {
            element = accumulate ? static_cast<T>(element + value) : value;
          }
        }
      }
    }
  });
}
void index_put(Call& c) {
  copy_elements(c.out(), c.tensor(arg::self));
  put_at(c, c.out());
}
void index_put_in_place(Call& c) {
  put_at(c, c.tensor(arg::self));
  c.finish(c.value(arg::self));
}

void index_select(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  Tensor positions = common::packed_as(c.tensor(arg::index), DType::int64);
  const int64_t* position = positions.device_data<int64_t>();
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  int64_t size = self.dim() == 0 ? 1 : self.size(static_cast<size_t>(dim));
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < positions.numel(); ++i) {
    deadline.tick();
    base::check_index(position[i] >= 0 && position[i] < size, "index out of range in self");
    if (self.dim() == 0) {
      copy_elements(out, self);
    } else {
      copy_elements(views::select(out, dim, i), views::select(self, dim, position[i]));
    }
  }
}

/// Offset of the i-th element in row-major order.
int64_t offset_of(const Tensor& t, int64_t i) {
  int64_t count = t.numel();
  base::check_index(i >= -count && i < count, "out of range: tried to access index ", i,
                    " on a tensor of ", count, " elements.");
  if (i < 0) i += count;
  int64_t offset = 0;
  for (size_t d = t.sizes().size(); d-- > 0;) {
    offset += i % t.size(d) * t.stride(d);
    i /= t.size(d);
  }
  return offset;
}

void take(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  common::over_sizes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.device_words<T>();
    common::map<T, int64_t>([&](int64_t i) { return from[offset_of(self, i)]; }, out,
                            c.tensor(arg::index));
  });
}

void put_flat(const Call& c, const Tensor& target) {
  Tensor positions = common::packed(c.tensor(arg::index)),
         source = common::packed(c.tensor(arg::source));
  bool accumulate = c.boolean(arg::accumulate);
  const int64_t* position = positions.device_data<int64_t>();
  common::over_all(target.dtype(), "put_", [&](auto zero) {
    using T = decltype(zero);
    T* to = target.device_data<T>();
    const T* from = source.device_data<T>();
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < positions.numel(); ++i) {
      deadline.tick();
      T& at = to[offset_of(target, position[i])];
      if constexpr (std::is_same_v<T, core::Bool>) {
        at = (accumulate && at) || from[i];
      } else {
        at = accumulate ? static_cast<T>(at + from[i]) : from[i];
      }
    }
  });
}
void put(Call& c) {
  copy_elements(c.out(), c.tensor(arg::self));
  put_flat(c, c.out());
}
void put_in_place(Call& c) {
  put_flat(c, c.tensor(arg::self));
  c.finish(c.value(arg::self));
}

/// A mask as bools; uint8 masks hold 0 and 1 only.
Tensor as_bools(const Tensor& mask) {
  if (mask.dtype() == DType::boolean) return mask;
  base::check(mask.dtype() == DType::uint8, "expected BoolTensor or ByteTensor for mask");
  Tensor out = Tensor::empty(mask.sizes(), DType::boolean, mask.device());
  common::map<core::Bool, uint8_t>([](uint8_t v) { return v != 0; }, out, mask);
  return out;
}

void masked_fill(Call& c) {
  Tensor out = c.out(), mask = as_bools(c.tensor(arg::mask)), value = c.tensor(arg::value);
  Tensor converted = Tensor::empty({}, out.dtype());
  copy_elements(converted, value);
  common::over_sizes(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T filled = *converted.device_words<T>();
    common::map<T, T, core::Bool>([&](T v, bool m) { return m ? filled : v; }, out,
                                  c.tensor(arg::self), mask);
  });
}

void masked_scatter(Call& c) {
  Tensor out = c.out(), mask = as_bools(c.tensor(arg::mask)),
         source = common::packed(c.tensor(arg::source));
  copy_elements(out, c.tensor(arg::self));
  Dims steps = core::broadcast_strides(mask.sizes(), mask.strides(), out.sizes());
  const core::Bool* on = mask.device_data<core::Bool>();
  common::over_sizes(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.device_words<T>();
    const T* from = source.device_words<T>();
    int64_t used = 0;
    common::for_each_offset<2>(out.sizes(), {out.strides(), steps}, [&](const auto& at) {
      if (!on[at[1]]) return;
      base::check(used < source.numel(), "Number of elements of source < number of ones in mask");
      to[at[0]] = from[used++];
    });
  });
}

void masked_select(Call& c) {
  Tensor self = c.tensor(arg::self), mask = c.tensor(arg::mask);
  base::check(mask.dtype() == DType::boolean || mask.dtype() == DType::uint8,
              "masked_select: expected BoolTensor or ByteTensor for mask");
  mask = as_bools(mask);
  c.synchronized();
  Dims shape = core::broadcast(self.sizes(), mask.sizes());
  Dims of_self = core::broadcast_strides(self.sizes(), self.strides(), shape);
  Dims of_mask = core::broadcast_strides(mask.sizes(), mask.strides(), shape);
  const core::Bool* on = mask.device_data<core::Bool>();
  std::vector<int64_t> positions;
  common::for_each_offset<2>(shape, {of_self, of_mask}, [&](const auto& at) {
    if (on[at[1]]) positions.push_back(at[0]);
  });
  Tensor out = c.new_empty(Dims{static_cast<int64_t>(positions.size())}, self.dtype());
  common::over_sizes(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.device_words<T>();
    T* to = out.device_words<T>();
    for (int64_t position : positions) *to++ = from[position];
  });
  c.finish(out);
}

void nonzero(Call& c) {
  c.synchronized();
  c.finish(ops::nonzero_indices(c.tensor(arg::self)));
}

/// Ones at (i, self[i]).
void one_hot(Call& c) {
  Tensor self = c.tensor(arg::self);
  int64_t classes = c.integer(arg::num_classes);
  base::check(self.dtype() == DType::int64, "one_hot is only applicable to index tensor.");
  Tensor positions = common::packed(self);
  const int64_t* position = positions.device_data<int64_t>();
  int64_t count = positions.numel();
  c.synchronized();
  base::check(count > 0 || classes > 0, "Can not infer total number of classes from empty tensor.");
  base::check(std::all_of(position, position + count, [](int64_t v) { return v >= 0; }),
              "Class values must be non-negative.");
  int64_t most = count > 0 ? *std::max_element(position, position + count) : -1;
  if (classes == -1) classes = most + 1;
  base::check(classes > most, "Class values must be smaller than num_classes.");
  Dims sizes = self.sizes();
  sizes.push_back(classes);
  Tensor out = c.new_empty(sizes, DType::int64);
  common::fill_elements(out, 0);
  for (int64_t i = 0; i < count; ++i) out.device_data<int64_t>()[i * classes + position[i]] = 1;
  c.finish(out);
}

/// How many of the sorted values lie before `value` (with `right`, before or level with it).
/// NaN sorts last.
template <typename T>
int64_t count_before(const T* sorted, const int64_t* order, int64_t count, T value, bool right) {
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    T at = order ? sorted[order[middle]] : sorted[middle];
    bool goes_right = right ? !(at > value) : !(at >= value);
    (goes_right ? low : high) = goes_right ? middle + 1 : middle;
  }
  return low;
}

/// One row of boundaries for all values, or a row for each row of values.
void search(const Call& c, const Tensor& boundaries, const core::Value& values, const Tensor& order,
            bool right) {
  Tensor out = c.out();
  DType number = values.is_int() ? DType::int64 : DType::float64;
  Tensor given = values.is_tensor() ? values.to_tensor() : Tensor::empty({}, number);
  if (!values.is_tensor()) common::fill_elements(given, values.to_scalar());
  DType dtype =
      values.is_tensor() ? core::promote(boundaries.dtype(), given.dtype()) : boundaries.dtype();
  if (!values.is_tensor() && !values.is_int() && core::is_integral(dtype, true))
    dtype = DType::float64;
  Tensor sorted = common::packed_as(boundaries, dtype), wanted = common::packed_as(given, dtype);
  Tensor positions = order ? common::packed(order) : Tensor();
  int64_t row = sorted.sizes().back(), count = wanted.numel();
  for (int64_t i = 0; positions && i < positions.numel(); ++i) {
    int64_t at = positions.device_data<int64_t>()[i];
    base::check(at >= 0 && at < row, "sorter index ", at, " is out of range for a row of ", row,
                " boundaries");
  }
  int64_t per_row = sorted.dim() == 1 ? count : wanted.sizes().back();
  Tensor found = Tensor::empty(out.sizes(), DType::int64);
  common::over_real(dtype, "searchsorted", [&](auto zero) {
    using T = decltype(zero);
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < count; ++i) {
      deadline.tick();
      int64_t start = i / std::max<int64_t>(per_row, 1) * row;
      if (sorted.dim() == 1) start = 0;
      found.device_data<int64_t>()[i] =
          count_before(sorted.device_data<T>() + start,
                       positions ? positions.device_data<int64_t>() + start : nullptr, row,
                       wanted.device_data<T>()[i], right);
    }
  });
  copy_elements(out, found);
}
void bucketize(Call& c) {
  search(c, c.tensor(arg::boundaries), c.value(arg::self), {}, c.boolean(arg::right));
}
void searchsorted(Call& c) {
  bool right = c.boolean(arg::right) || (!c.is_none(arg::side) && c.string(arg::side) == "right");
  search(c, c.tensor(arg::sorted_sequence), c.value(arg::self), c.tensor(arg::sorter), right);
}

constexpr ops::Kernel indexing_table[] = {
    {"aten::index.Tensor", index},
    {"aten::index.Tensor_hacked_twin", index},
    {"aten::index_put", index_put},
    {"aten::index_put.hacked_twin", index_put},
    {"aten::index_put_", index_put_in_place},
    {"aten::index_put_.hacked_twin", index_put_in_place},
    {"aten::_index_put_impl_", index_put_in_place},
    {"aten::_index_put_impl_.hacked_twin", index_put_in_place},
    {"aten::index_select", index_select},
    {"aten::take", take},
    {"aten::put", put},
    {"aten::put_", put_in_place},
    {"aten::masked_fill.Tensor", masked_fill},
    {"aten::masked_scatter", masked_scatter},
    {"aten::masked_select", masked_select},
    {"aten::nonzero", nonzero},
    {"aten::argwhere", nonzero},
    {"aten::one_hot", one_hot},
    {"aten::bucketize.Tensor", bucketize},
    {"aten::bucketize.Scalar", bucketize},
    {"aten::searchsorted.Tensor", searchsorted},
    {"aten::searchsorted.Scalar", searchsorted},
};

}  // namespace

std::span<const ops::Kernel> indexing_kernels() { return indexing_table; }

}  // namespace assay::kernels::reference
