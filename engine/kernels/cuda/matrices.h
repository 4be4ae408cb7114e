#pragma once

#include "engine/kernels/cuda/copy_elements.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

// Batches of matrices as LAPACK wants them: column after column, matrix after matrix.
namespace assay::kernels::cuda {

inline int64_t rows_of(const core::Tensor& t) { return t.size(t.sizes().size() - 2); }
inline int64_t columns_of(const core::Tensor& t) { return t.sizes().back(); }

/// Sizes before the last two dimensions, with others behind them.
inline core::Dims batch_and(const core::Tensor& t, std::initializer_list<int64_t> behind) {
  core::Dims sizes(t.sizes().begin(), t.sizes().end() - 2);
  for (int64_t size : behind) sizes.push_back(size);
  return sizes;
}

/// The transposed matrices, as a view.
inline core::Tensor turned_view(const core::Tensor& t) { return ops::views::transpose(t, -2, -1); }

/// New matrices on a device, column after column.
inline core::Tensor new_matrices(const core::Dims& sizes, core::DType dtype, core::Device device) {
  core::Dims laid = sizes;
  size_t last = sizes.size() - 1;
  std::swap(laid[last], laid[last - 1]);
  core::Tensor t = core::Tensor::empty(laid, dtype, device);
  core::Dims strides = t.strides();
  std::swap(strides[last], strides[last - 1]);
  return t.view(sizes, strides, t.offset());
}
inline core::Tensor matrices_like(const core::Tensor& t) {
  return new_matrices(t.sizes(), t.dtype(), t.device());
}

/// A copy, column after column.
inline core::Tensor copied_matrices(const ops::Call& call, const core::Tensor& t) {
  core::Tensor made = matrices_like(t);
  copy_elements(call, made, t);
  return made;
}
/// The tensor itself, if it lies so.
inline core::Tensor as_matrices(const ops::Call& call, const core::Tensor& t) {
  return turned_view(t).is_contiguous() ? t : copied_matrices(call, t);
}
/// A copy of the transposed matrices.
inline core::Tensor turned_matrices(const ops::Call& call, const core::Tensor& t) {
  return copied_matrices(call, turned_view(t));
}

/// The matrices of a smaller batch, repeated.
inline core::Tensor broadcast_batch(const core::Tensor& t, const core::Dims& batch) {
  core::Dims sizes = batch;
  sizes.push_back(rows_of(t));
  sizes.push_back(columns_of(t));
  return t.view(sizes, core::broadcast_strides(t.sizes(), t.strides(), sizes), t.offset());
}

/// Raises unless the elements are LAPACK's, and sizes such as its routines count to.
void check_matrix_elements(const char* what, const core::Tensor& t);

}  // namespace assay::kernels::cuda
