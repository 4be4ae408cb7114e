#pragma once

#include <vector>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

namespace assay::ir {

/// The elements in row-major order. The tensor must have bytes in host memory (not meta).
std::vector<core::Scalar> elements(const core::Tensor& tensor);

/// A cpu tensor of these elements, converted to `dtype`. There must be as many as the sizes say.
core::Tensor tensor_from(const std::vector<core::Scalar>& items, core::DimSpan sizes,
                         core::DType dtype);

}  // namespace assay::ir
