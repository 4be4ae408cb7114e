// Reading and writing at positions that tensors hold.

#include "engine/kernels/common/elements.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/nonzero.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/write_elements.h"
#include "engine/ops/advanced_index.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace views = ops::views;
namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::AdvancedIndex;
using ops::Call;

/// The plan for any index tensors; masks are read.
AdvancedIndex plan_of(const Call& c, const Tensor& self) {
  auto indices = c.tensors(arg::indices);
  if (!ops::has_mask(indices)) return ops::plan_index(self, indices);
  std::vector<Tensor> expanded;
  for (const Tensor& t : indices) {
    if (!t || (t.dtype() != DType::boolean && t.dtype() != DType::uint8)) {
      expanded.push_back(t);
      continue;
    }
    for (size_t d = 0; d < t.sizes().size(); ++d) {
      size_t at = expanded.size() + d;
      base::check_index(at < self.sizes().size() && t.size(d) == self.size(at),
                        "The shape of the mask ", t.sizes(), " at index ", d,
                        " does not match the shape of the indexed tensor ", self.sizes(),
                        " at index ", at);
    }
    base::check(t.dim() > 0, "a 0-dimensional mask does not index a dimension");
    Tensor positions = nonzero_positions(c, t);
    for (int64_t d = 0; d < t.dim(); ++d) expanded.push_back(views::select(positions, 1, d));
  }
  return ops::plan_index(self, expanded);
}

/// One of several index tensors' share in the distance from the first element.
struct AddDistance {
  std::byte* out;
  const std::byte* index;
  Layout<2> layout;
  int64_t size, stride;
  bool first;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    int64_t& sum = *reinterpret_cast<int64_t*>(out + at.of[0]);
    int64_t position = *reinterpret_cast<const int64_t*>(index + at.of[1]);
    int64_t before = first ? 0 : sum;
    if (before == INT64_MIN || !report.wrap(position, size))
      sum = INT64_MIN;
    else
      sum = before + position * stride;
  }
};

/// Where the index tensors reach along the dimensions that they index.
Positions positions_of(const Call& c, const AdvancedIndex& plan) {
  size_t first = plan.first;
  if (plan.indices.size() == 1) {
    return {plan.indices[0], plan.self.size(first), plan.self.stride(first), true};
  }
  Tensor sums = Tensor::empty(plan.index_sizes, DType::int64, c.device());
  Queue queue = queue_of(c);
  for (size_t i = 0; i < plan.indices.size(); ++i) {
    auto layout = Layout<2>::of(plan.index_sizes, {sums, plan.indices[i]});
    for_each(
        queue, layout.count,
        AddDistance{sums.device_address(), plan.indices[i].device_address(), layout,
                    plan.self.size(first + i), plan.self.stride(first + i), i == 0, queue.report});
  }
  return {sums, INT64_MAX, 1, false};
}

/// The tensor under the shape of the result, with no step along the index
/// tensors' dimensions.
Tensor without_indexed(const AdvancedIndex& plan, const Dims& sizes) {
  Dims strides(sizes.size(), 0);
  for (size_t d = 0; d < plan.first; ++d) strides[d] = plan.self.stride(d);
  size_t rest = plan.self.sizes().size() - plan.after();
  for (size_t d = 0; d < rest; ++d) {
    strides[plan.first + plan.index_sizes.size() + d] = plan.self.stride(plan.after() + d);
  }
  return seen_as(plan.self, sizes, strides);
}

/// A tensor of the index tensors' shape under the shape of the result.
Tensor spread_index(const AdvancedIndex& plan, const Tensor& index, const Dims& sizes) {
  Dims strides(sizes.size(), 0);
  for (size_t d = 0; d < plan.index_sizes.size(); ++d) strides[plan.first + d] = index.stride(d);
  return seen_as(index, sizes, strides);
}

/// Whether an index reaches into a dimension without elements; the positions
/// say which.
void check_not_empty(const AdvancedIndex& plan, const Dims& sizes) {
  if (core::numel(sizes) == 0) return;
  for (size_t i = 0; i < plan.indices.size(); ++i) {
    base::check_index(plan.self.size(plan.first + i) > 0, "index is out of bounds for dimension ",
                      plan.first + i, " with size 0");
  }
}

void index(Call& c) {
  Tensor self = c.tensor(arg::self);
  AdvancedIndex plan = plan_of(c, self);
  bool made = c.declared();
  Dims sizes = plan.sizes();
  Tensor out = made ? c.out()
                    : Tensor::empty_strided(sizes, plan.result_strides(), self.dtype(), c.device());
  if (out.numel() > 0) {
    check_not_empty(plan, sizes);
    if (plan.indices.empty()) {
      copy_elements(c, out, plan.self);
    } else {
      Positions positions = positions_of(c, plan);
      positions.index = spread_index(plan, positions.index, sizes);
      gather_elements(c, out, without_indexed(plan, sizes), positions);
    }
  }
  if (!made) c.finish(out);
}

/// The values under the result's shape with one dimension instead of the index
/// tensors'. Those that may be a part of the target are copied.
Tensor values_for(const Call& c, const AdvancedIndex& plan, const Tensor& values, const Dims& sizes,
                  const Dims& joined) {
  Tensor spread = views::expand(values, sizes);
  bool apart = values.storage() != plan.self.storage() && values.device() == c.device();
  if (apart) {
    if (auto strides = views::view_strides(spread.sizes(), spread.strides(), joined))
      return seen_as(spread, joined, *strides);
  }
  Tensor copy = Tensor::empty(sizes, values.dtype(), c.device());
  copy_elements(c, copy, spread);
  return views::view(copy, joined);
}

Tensor check_values(const Call& c, const Dims& sizes) {
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
  return values;
}

/// The shape of the result with one dimension instead of the index tensors'.
Dims joined_sizes(const AdvancedIndex& plan, const Dims& sizes) {
  Dims joined(sizes.begin(), sizes.begin() + plan.first);
  joined.push_back(core::numel(plan.index_sizes));
  for (size_t d = plan.first + plan.index_sizes.size(); d < sizes.size(); ++d) {
    joined.push_back(sizes[d]);
  }
  return joined;
}

/// The index tensors' positions along that dimension.
Positions joined_positions(const Call& c, const AdvancedIndex& plan, const Dims& joined) {
  Positions positions{Tensor(), 1, 0, false};
  if (plan.indices.empty()) {
    positions.index = Tensor::empty(Dims{1}, DType::int64, c.device());
    fill_elements(c, positions.index, 0);
  } else {
    positions = positions_of(c, plan);
  }
  Tensor index = positions.index;
  Dims strides(joined.size(), 0), count{joined[plan.first]};
  auto seen = views::view_strides(index.sizes(), index.strides(), count);
  if (!seen) index = contiguous(c, index);
  strides[plan.first] = seen ? (*seen)[0] : 1;
  positions.index = seen_as(index, joined, strides);
  return positions;
}

void put_at(const Call& c, const Tensor& target) {
  AdvancedIndex plan = plan_of(c, target);
  Dims sizes = plan.sizes();
  Tensor values = check_values(c, sizes);
  if (core::numel(sizes) == 0) return;
  check_not_empty(plan, sizes);
  Dims joined = joined_sizes(plan, sizes), steps(joined.size(), 0);
  for (size_t d = 0; d < plan.first; ++d) steps[d] = plan.self.stride(d);
  for (size_t d = plan.after(); d < plan.self.sizes().size(); ++d) {
    steps[plan.first + 1 + d - plan.after()] = plan.self.stride(d);
  }
  bool number = values.device() != c.device();
  Tensor from = number ? values : values_for(c, plan, values, sizes, joined);
  Join how = c.boolean(arg::accumulate) ? Join::sum : Join::replace;
  write_elements(c, seen_as(plan.self, joined, steps),
                 {joined_positions(c, plan, joined), from, joined, plan.first, how});
}

void index_put(Call& c) {
  copy_elements(c, c.out(), c.tensor(arg::self));
  put_at(c, c.out());
}
void index_put_in_place(Call& c) {
  put_at(c, c.tensor(arg::self));
  c.finish(c.value(arg::self));
}

void index_select(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out(), index = c.tensor(arg::index);
  int64_t dim = core::wrap_dim(c.integer(arg::dim), self.dim());
  if (out.numel() == 0) return check_positions(c, self, positions_along(self, dim, index, false));
  Positions positions = positions_along(self, dim, index, false);
  base::check_index(positions.size > 0, "index out of range in self");
  Dims of_self = self.strides(), of_index(self.sizes().size(), 0);
  if (self.dim() > 0) {
    of_self[static_cast<size_t>(dim)] = 0;
    of_index[static_cast<size_t>(dim)] = index.dim() == 0 ? 0 : index.stride(0);
  }
  positions.index = seen_as(index, out.sizes(), of_index);
  gather_elements(c, out, seen_as(self, out.sizes(), of_self), positions);
}

/// A vector of all elements, in a new place where they do not lie in a row.
Tensor flat(const Call& c, const Tensor& t) { return views::view(contiguous(c, t), Dims{-1}); }

void take(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  if (out.numel() == 0) return;
  Tensor all = flat(c, self);
  gather_elements(c, out, seen_as(all, Dims{}, Dims{}),
                  {c.tensor(arg::index), all.numel(), 1, true});
}

void put_flat(const Call& c, const Tensor& target) {
  Tensor index = flat(c, c.tensor(arg::index)), source = flat(c, c.tensor(arg::source));
  if (index.numel() == 0) return;
  if (source.storage() == target.storage()) {
    Tensor apart = Tensor::empty(source.sizes(), source.dtype(), source.device());
    copy_elements(c, apart, source);
    source = apart;
  }
  Join how = c.boolean(arg::accumulate) ? Join::sum : Join::replace;
  Tensor all = flat(c, target);
  write_elements(c, seen_as(all, Dims{1}, Dims{0}),
                 {{index, all.numel(), 1, true}, source, Dims{index.numel()}, 0, how});
  if (all.storage() != target.storage()) copy_elements(c, target, views::view(all, target.sizes()));
}
void put(Call& c) {
  copy_elements(c, c.out(), c.tensor(arg::self));
  put_flat(c, c.out());
}
void put_in_place(Call& c) {
  put_flat(c, c.tensor(arg::self));
  c.finish(c.value(arg::self));
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
};

}  // namespace

std::span<const ops::Kernel> indexing_kernels() { return indexing_table; }

}  // namespace assay::kernels::cuda
