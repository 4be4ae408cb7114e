#pragma once

#include "engine/kernels/cuda/queue.h"

namespace assay::kernels::cuda {

/// Positions along a dimension of a tensor, or distances in it, which are
/// elements of an index.
struct Positions {
  core::Tensor index;  ///< int64 or int32.
  int64_t size = 0;    ///< Of the dimension.
  int64_t stride = 0;  ///< Of the dimension, in elements.
  bool wraps = false;  ///< Negative ones count from the end.
};

/// The dimension's positions; a 0-dimensional tensor has one.
Positions positions_along(const core::Tensor& t, int64_t dim, const core::Tensor& index,
                          bool wraps);

/// The tensor under another shape and with other strides, from its first
/// element on.
core::Tensor seen_as(const core::Tensor& t, core::DimSpan sizes, core::DimSpan strides);

/// Each element of `out` from the element of `from`, which is broadcast to
/// out's sizes, that lies as far behind as the index, broadcast to them too,
/// says.
void gather_elements(const ops::Call& call, const core::Tensor& out, const core::Tensor& from,
                     const Positions& positions);

/// Reports positions that are none, where no elements are to be read or
/// written.
void check_positions(const ops::Call& call, const core::Tensor& of, const Positions& positions);

}  // namespace assay::kernels::cuda
