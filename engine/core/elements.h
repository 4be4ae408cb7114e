#pragma once

#include <vector>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

namespace assay::core {

/// The elements in row-major order. The tensor must have bytes in host memory (not meta).
std::vector<Scalar> elements(const Tensor& tensor);

/// A cpu tensor of these elements, converted to `dtype`. There must be as many as the sizes say.
Tensor tensor_from(const std::vector<Scalar>& items, DimSpan sizes, DType dtype);

}  // namespace assay::core
