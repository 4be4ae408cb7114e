#pragma once

#include <optional>

#include "engine/core/tensor.h"

/// Views as PyTorch makes them: pure functions on a tensor's sizes and strides. Each returns a
/// tensor that shares the argument's storage. Dimensions may be negative (counted from the end).
/// Errors are input errors in PyTorch's words.
namespace assay::ops::views {

using core::Dims;
using core::DimSpan;
using core::Tensor;

/// `shape` with its one -1, if any, replaced so that it has `numel` elements.
Dims infer_size(DimSpan shape, int64_t numel);
/// Strides with which a tensor of these sizes and strides can be seen under `shape` without a
/// copy; nothing where it cannot.
std::optional<Dims> view_strides(DimSpan sizes, DimSpan strides, DimSpan shape);

/// Raises where elements that are to be written share their memory, as those of an expanded tensor.
void check_elements_apart(const Tensor& t);

Tensor view(const Tensor& t, DimSpan shape);
/// -1 keeps a size; new leading dimensions get stride 0.
Tensor expand(const Tensor& t, DimSpan shape);
Tensor permute(const Tensor& t, DimSpan dims);
Tensor transpose(const Tensor& t, int64_t dim0, int64_t dim1);
Tensor select(const Tensor& t, int64_t dim, int64_t index);
/// Bounds as in Python's slices; `step` must be positive.
Tensor slice(const Tensor& t, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
             int64_t step);
Tensor narrow(const Tensor& t, int64_t dim, int64_t start, int64_t length);
Tensor unsqueeze(const Tensor& t, int64_t dim);
/// All dimensions of size 1.
Tensor squeeze(const Tensor& t);
/// The dimension, where its size is 1.
Tensor squeeze(const Tensor& t, int64_t dim);
Tensor flatten(const Tensor& t, int64_t start_dim, int64_t end_dim);
Tensor diagonal(const Tensor& t, int64_t offset, int64_t dim1, int64_t dim2);
Tensor unfold(const Tensor& t, int64_t dim, int64_t size, int64_t step);
Tensor movedim(const Tensor& t, DimSpan source, DimSpan destination);
/// Bounds-checked against the storage.
Tensor as_strided(const Tensor& t, DimSpan sizes, DimSpan strides, std::optional<int64_t> offset);
/// The bytes as another element type.
Tensor view_dtype(const Tensor& t, core::DType dtype);
/// Complex elements as a last dimension of two real ones, and back.
Tensor as_real(const Tensor& t);
Tensor as_complex(const Tensor& t);

/// Sizes of the shape that `flatten` gives.
Dims flatten_sizes(DimSpan sizes, int64_t start_dim, int64_t end_dim);
/// Wrapped dimensions, each at most once.
Dims wrap_dims(DimSpan dims, int64_t rank);
/// Start and length of a Python slice of a dimension of the given size.
struct Range {
  int64_t start;
  int64_t length;
};
Range slice_range(int64_t size, std::optional<int64_t> start, std::optional<int64_t> end,
                  int64_t step);

}  // namespace assay::ops::views
