#pragma once

#include <span>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

namespace assay::ops {

/// PyTorch's result type of an operation over tensors: tensors with dimensions outrank
/// 0-dimensional ones, which outrank wrapped Python numbers, unless the lower one is of a higher
/// category (bool < integer < float < complex). Undefined tensors do not take part.
/// Source: torch.result_type's documentation, "Type promotion doc".
core::DType result_type(std::span<const core::Tensor> tensors,
                        core::DType default_dtype = core::DType::float32);

/// Whether PyTorch lets a result of type `from` be written into a tensor of type `to`
/// (torch.can_cast).
bool can_cast(core::DType from, core::DType to);

/// A number as a 0-dimensional tensor that promotes as a Python number does.
core::Tensor wrapped_number(const core::Scalar& number, core::DType default_dtype);

/// Strides of the result of an elementwise operation of shape `sizes` over these operands, as
/// PyTorch's TensorIterator lays it out: dimensions ordered as in the operands, no gaps.
core::Dims elementwise_strides(core::DimSpan sizes, std::span<const core::Tensor> operands);

}  // namespace assay::ops
