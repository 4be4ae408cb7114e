#pragma once

#include <optional>

#include "engine/core/tensor.h"

namespace assay::ops {

class Call;

namespace infer {

/// The argument memory_format; `otherwise` where it is None or the operator has none.
core::MemoryFormat format_argument(const Call& call, core::MemoryFormat otherwise);
/// Strides of a copy of `tensor` in that format. "preserve" keeps the strides of a dense tensor and
/// packs those of any other in the same order of dimensions (empty_like's rule).
core::Dims copy_strides(const core::Tensor& tensor, core::MemoryFormat format);
/// The format that the strides follow: channels-last for 4 or 5 dimensions laid out so, else
/// row-major (PyTorch's suggest_memory_format).
core::MemoryFormat suggested_format(const core::Tensor& tensor);
/// Gives the tensor object a size, keeping its bytes; the storage grows where it is too small
/// (PyTorch's resize_).
void resize_tensor(const core::Tensor& t, core::DimSpan sizes, core::MemoryFormat format);
/// Raises unless the argument layout is None or strided.
void check_strided(const Call& call);

}  // namespace infer
}  // namespace assay::ops
