#pragma once

#include "engine/core/scalar.h"
#include "engine/kernels/cuda/gather_elements.h"

namespace assay::kernels::cuda {

/// How a written element is joined with the one that is there.
enum class Join { replace, sum, product, minimum, maximum };

/// What goes to positions along one dimension.
struct Writing {
  Positions positions;  ///< The index has the sizes of what is written, or
                        ///< broadcasts to them.
  core::Tensor source;  ///< Broadcast to them, too. Of the target's type, or one
                        ///< number on the CPU.
  core::Dims sizes;
  size_t along = 0;  ///< The dimension.
  Join how = Join::replace;
  core::Scalar factor = 1;  ///< For sums: what the source is multiplied with.
};

/// Writes to the target, which is broadcast to the sizes from its first element
/// on: without a step along the dimension. Several writes to one element are
/// done in order where it costs little: few positions, or so many slices that
/// they keep the device busy.
void write_elements(const ops::Call& call, const core::Tensor& target, const Writing& writing);

}  // namespace assay::kernels::cuda
