#pragma once

#include <vector>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

namespace assay::core {

/// The elements in row-major order, copied to the host from whatever device. Input error for meta
/// tensors.
std::vector<Scalar> elements(const Tensor& tensor);
/// The first of them; there must be one.
Scalar first_element(const Tensor& tensor);

/// Whether one of two tensors may stand for the other where nobody writes to them: they are alike
/// in all that they are, bytes included. Those of meta tensors are not known.
bool same_constant(const Tensor& a, const Tensor& b);

/// A cpu tensor of these elements, converted to `dtype`. There must be as many as the sizes say.
Tensor tensor_from(const std::vector<Scalar>& items, DimSpan sizes, DType dtype);

}  // namespace assay::core
