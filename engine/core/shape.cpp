#include "engine/core/shape.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"

namespace assay::core {
namespace {

/// The step of a dimension that encloses dimension i, whose own step is given. An input error
/// beyond `max_reach`.
int64_t enclosing_step(int64_t step, DimSpan sizes, size_t i) {
  int64_t size = std::max<int64_t>(sizes[i], 1), product = 0;
  bool fits = !__builtin_mul_overflow(step, size, &product) && product <= max_reach;
  if (!fits) [[unlikely]]
    base::fail("the number of elements of shape ", sizes, " is more than ", max_reach);
  return product;
}

}  // namespace

int64_t numel(DimSpan sizes) {
  int64_t count = 1;
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    empty |= sizes[i] == 0;
    count = enclosing_step(count, sizes, i);
  }
  return empty ? 0 : count;
}

Dims contiguous_strides(DimSpan sizes) {
  Dims strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = enclosing_step(strides[i], sizes, i);
  return strides;
}

Dims format_strides(DimSpan sizes, MemoryFormat format) {
  size_t rank = format == MemoryFormat::channels_last      ? 4
                : format == MemoryFormat::channels_last_3d ? 5
                                                           : 0;
  if (rank == 0) return contiguous_strides(sizes);
  base::check(sizes.size() == rank, "required rank ", rank, " tensor to use channels_last format");
  Dims strides(rank, 1);
  int64_t step = std::max<int64_t>(sizes[1], 1);
  for (size_t i = rank; i-- > 2;) {
    strides[i] = step;
    step = enclosing_step(step, sizes, i);
  }
  strides[0] = step;
  return strides;
}

bool is_contiguous(DimSpan sizes, DimSpan strides) {
  int64_t expected = 1;
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return true;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

bool is_contiguous(DimSpan sizes, DimSpan strides, MemoryFormat format) {
  size_t rank = format == MemoryFormat::channels_last ? 4 : 5;
  if (format == MemoryFormat::contiguous || format == MemoryFormat::preserve) {
    return is_contiguous(sizes, strides);
  }
  if (sizes.size() != rank) return false;
  int64_t expected = 1;
  auto step = [&](size_t i) {
    if (sizes[i] == 1) return true;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
    return true;
  };
  if (!step(1)) return false;
  for (size_t i = rank; i-- > 2;) {
    if (!step(i)) return false;
  }
  return step(0);
}

bool is_channels_last(DimSpan sizes, DimSpan strides) {
  size_t rank = sizes.size();
  if (rank != 4 && rank != 5) return false;
  if (strides[1] == 0) return false;
  int64_t least = 0;
  Dims order{1};
  for (size_t i = rank; i-- > 2;) order.push_back(static_cast<int64_t>(i));
  order.push_back(0);
  for (int64_t d : order) {
    auto i = static_cast<size_t>(d);
    if (sizes[i] == 0) return false;
    if (strides[i] < least) return false;
    // Ambiguous N11W shapes count as contiguous, as in PyTorch.
    if (d == 0 && least == strides[1]) return false;
    least = strides[i];
    // A product beyond 64 bits is more than any stride.
    if (sizes[i] > 1 && __builtin_mul_overflow(least, sizes[i], &least)) least = INT64_MAX;
  }
  return true;
}

bool overlaps_itself(DimSpan sizes, DimSpan strides) {
  struct Step {
    int64_t stride, size;
  };
  base::SmallVector<Step, 6> steps;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return false;
    if (sizes[i] > 1) steps.push_back({strides[i], sizes[i]});
  }
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.stride < b.stride; });
  int64_t reach = 0;  // The largest offset by the steps so far.
  for (const Step& step : steps) {
    if (step.stride <= reach) return true;
    reach += (step.size - 1) * step.stride;
  }
  return false;
}

bool is_non_overlapping_and_dense(DimSpan sizes, DimSpan strides) {
  size_t rank = sizes.size();
  if (rank == 1) return sizes[0] < 2 || strides[0] == 1;
  Dims order;
  for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    auto x = static_cast<size_t>(a), y = static_cast<size_t>(b);
    if (sizes[x] < 2) return false;  // Sizes below 2 sort last: their strides do not matter.
    if (sizes[y] < 2) return true;
    return strides[x] < strides[y];
  });
  int64_t expected = 1;
  for (int64_t d : order) {
    auto i = static_cast<size_t>(d);
    if (sizes[i] < 2) return true;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

Dims broadcast(DimSpan a, DimSpan b) {
  size_t rank = std::max(a.size(), b.size());
  Dims out(rank);
  for (size_t i = 0; i < rank; ++i) {
    size_t dim = rank - 1 - i;
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    base::check(x == y || x == 1 || y == 1, "The size of tensor a (", x,
                ") must match the size of tensor b (", y, ") at non-singleton dimension ", dim);
    out[dim] = x == 1 ? y : x;
  }
  return out;
}

Dims broadcast_strides(DimSpan sizes, DimSpan strides, DimSpan to) {
  base::check(sizes.size() <= to.size(), "a tensor of shape ", sizes,
              " does not broadcast to shape ", to, ", which has fewer dimensions");
  Dims out(to.size(), 0);
  size_t lead = to.size() - sizes.size();
  for (size_t i = 0; i < sizes.size(); ++i) {
    base::check(sizes[i] == 1 || sizes[i] == to[lead + i], "a tensor of shape ", sizes,
                " does not broadcast to shape ", to, ": dimension ", lead + i, " has size ",
                to[lead + i]);
    out[lead + i] = sizes[i] == 1 && to[lead + i] != 1 ? 0 : strides[i];
  }
  return out;
}

int64_t wrap_dim(int64_t dim, int64_t rank, bool wrap_scalar) {
  if (rank == 0) {
    base::check_index(wrap_scalar, "Dimension specified as ", dim, " but tensor has no dimensions");
    rank = 1;
  }
  base::check_index(dim >= -rank && dim < rank,
                    "Dimension out of range (expected to be in range of [", -rank, ", ", rank - 1,
                    "], but got ", dim, ")");
  return dim < 0 ? dim + rank : dim;
}

Extent extent(DimSpan sizes, DimSpan strides) {
  Extent e{0, 1};
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    empty |= sizes[i] == 0;
    int64_t size = std::max<int64_t>(sizes[i], 1), reach = 0;
    bool fits = !__builtin_mul_overflow(size, strides[i], &reach) && reach <= max_reach &&
                reach >= -max_reach;
    (strides[i] < 0 ? e.low : e.high) += fits ? (size - 1) * strides[i] : 0;
    if (!fits || e.low < -max_reach || e.high > max_reach + 1) [[unlikely]]
      base::fail("shape ", sizes, " with strides ", strides, " reaches farther than ", max_reach,
                 " elements");
  }
  return empty ? Extent{0, 0} : e;
}

}  // namespace assay::core
