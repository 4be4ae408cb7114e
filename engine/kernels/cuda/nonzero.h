#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// The positions of a tensor's non-zero elements: int64 of shape (count, dim),
/// column by column in memory as PyTorch has it. Waits for the device.
core::Tensor nonzero_positions(const ops::Call& call, const core::Tensor& t);

}  // namespace assay::kernels::cuda
