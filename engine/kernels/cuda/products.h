#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// out = alpha left right, of floating or complex matrices, or of batches of them that are
/// broadcast to the result's. They may lie in any way, the result row-major.
void multiply_matrices(ops::Call& call, const core::Tensor& left, const core::Tensor& right,
                       double alpha, const core::Tensor& out);

}  // namespace assay::kernels::cuda
