#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// A real row's whole transform from its half: the other half has the conjugates. Both are
/// row-major and complex.
void complete_rows(const ops::Call& call, const core::Tensor& half, const core::Tensor& whole);

/// Makes halves such as a row of `length` real numbers has: the first number is real, and so is
/// the middle one, where there is one.
void make_ends_real(const ops::Call& call, const core::Tensor& half, int64_t length);

}  // namespace assay::kernels::cuda
