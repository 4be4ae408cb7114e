#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// to = from, broadcast to its sizes and cast to its type. Both are on the call's device and do not
/// overlap; a 0-dimensional source may be on the CPU.
void copy_elements(const ops::Call& call, const core::Tensor& to, const core::Tensor& from);

/// All elements become the number, as the tensor's type holds it.
void fill_elements(const ops::Call& call, const core::Tensor& to, const core::Scalar& number);

/// A row-major copy on the same device; the tensor itself where it is so already.
core::Tensor contiguous(const ops::Call& call, const core::Tensor& tensor);

/// Row-major and of int64: indices as device code reads them. The tensor itself where it is so.
core::Tensor int64_contiguous(const ops::Call& call, const core::Tensor& tensor);

}  // namespace assay::kernels::cuda
