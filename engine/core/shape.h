#pragma once

#include <cstdint>
#include <span>

#include "engine/base/small_vector.h"

namespace assay::core {

/// Sizes or strides, in elements, one entry per dimension.
using Dims = base::SmallVector<int64_t, 6>;
using DimSpan = std::span<const int64_t>;

enum class MemoryFormat : int8_t {
  contiguous = 0,
  preserve = 1,
  channels_last = 2,
  channels_last_3d = 3
};

/// No tensor has more elements than this, nor strides or an offset that reach farther: so many
/// elements of the largest type still have byte offsets in 64 bits. A size of 0 counts as 1 here,
/// so that products of any of a tensor's sizes, and a size times its stride, never overflow.
inline constexpr int64_t max_reach = INT64_MAX / 16;

/// Product of the sizes; 1 for a 0-dimensional shape. Raises an input error beyond `max_reach`.
int64_t numel(DimSpan sizes);
/// Row-major strides. As in PyTorch, a size of 0 counts as 1. Raises an input error beyond
/// `max_reach`.
Dims contiguous_strides(DimSpan sizes);
/// Strides of the given memory format; 4 sizes for channels_last, 5 for channels_last_3d.
Dims format_strides(DimSpan sizes, MemoryFormat format);

bool is_contiguous(DimSpan sizes, DimSpan strides);
/// PyTorch's is_contiguous(memory_format=...) for the channels-last formats.
bool is_contiguous(DimSpan sizes, DimSpan strides, MemoryFormat format);
/// Whether the strides order the dimensions as channels-last (PyTorch's
/// is_channels_last_strides_2d/3d); decides which format "preserve" keeps.
bool is_channels_last(DimSpan sizes, DimSpan strides);
/// Whether two elements may lie in one place. May say so of odd layouts where none do: strides that
/// do not enclose each other.
bool overlaps_itself(DimSpan sizes, DimSpan strides);
/// Every element has its own place and there are no holes, in any order of dimensions.
bool is_non_overlapping_and_dense(DimSpan sizes, DimSpan strides);

/// The shape both broadcast to; an input error in PyTorch's words where there is none.
Dims broadcast(DimSpan a, DimSpan b);
/// Strides with which a tensor of these sizes and strides is read under a wider shape (0 along
/// broadcast dimensions). An input error where the tensor does not broadcast to that shape.
Dims broadcast_strides(DimSpan sizes, DimSpan strides, DimSpan to);
/// A dimension counted from the end (negative) as one from the front; an input error in PyTorch's
/// words outside [-rank, rank). A rank of 0 counts as 1 unless `wrap_scalar` is false.
int64_t wrap_dim(int64_t dim, int64_t rank, bool wrap_scalar = true);
/// Lowest and one-past-highest element offset that the shape touches; {0, 0} when empty. Raises an
/// input error beyond `max_reach`.
struct Extent {
  int64_t low;
  int64_t high;
};
Extent extent(DimSpan sizes, DimSpan strides);

}  // namespace assay::core
