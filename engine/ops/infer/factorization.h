#pragma once

#include "engine/core/tensor.h"

namespace assay::ops::infer {

/// Raise an input error, which begins with `what`, unless the last two dimensions are matrices; are
/// square ones.
void check_matrices(const char* what, const core::Tensor& matrices);
void check_square(const char* what, const core::Tensor& matrices);

}  // namespace assay::ops::infer
