#pragma once

#include "engine/ops/dispatch.h"

// Factorizations as LAPACK defines them, on the device's memory. Matrices are float32, float64,
// complex64 or complex128, lie column after column, and their batches without gaps; what is
// factorized is overwritten. No matrix is empty. `info` has a number for each matrix of a batch: 0
// where all is well.
namespace assay::kernels::cuda {

/// The factors in place, as many pivots as the smaller side is long.
void factor_lu(const ops::Call& call, const core::Tensor& a, const core::Tensor& pivots,
               const core::Tensor& info);
/// A X = B, or with the adjoint of A. X takes the place of B. Pivots must be within the matrices.
void solve_lu(const ops::Call& call, const core::Tensor& lu, const core::Tensor& pivots,
              bool adjoint, const core::Tensor& b);

/// The factor in the upper or lower triangle; what the other one holds afterwards is not said.
void factor_cholesky(const ops::Call& call, const core::Tensor& a, bool upper,
                     const core::Tensor& info);
void solve_cholesky(const ops::Call& call, const core::Tensor& factor, bool upper,
                    const core::Tensor& b);
/// The inverse of the factorized matrix, in one triangle.
void invert_cholesky(const ops::Call& call, const core::Tensor& factor, bool upper,
                     const core::Tensor& info);

/// QR: R, below it the reflections, whose scales are in `tau`.
void factor_qr(const ops::Call& call, const core::Tensor& a, const core::Tensor& tau);
/// The product of reflections takes their place. There are no more columns than rows, and no more
/// reflections than columns.
void multiply_reflections(const ops::Call& call, const core::Tensor& a, const core::Tensor& tau);
/// The product of reflections, or its adjoint, times other matrices, from the left or right.
void apply_reflections(const ops::Call& call, const core::Tensor& reflections,
                       const core::Tensor& tau, bool left, bool adjoint,
                       const core::Tensor& matrices);

/// Eigenvalues of symmetric or Hermitian matrices, ascending; the eigenvectors take their place if
/// asked for.
void find_eigenvalues(const ops::Call& call, const core::Tensor& a, bool upper, bool with_vectors,
                      const core::Tensor& values, const core::Tensor& info);
/// Singular values, descending; where `u` and `vh` are defined, the vectors, as many as they have
/// room for: those of all singular values, or whole bases.
void find_singular_values(const ops::Call& call, const core::Tensor& a, const core::Tensor& values,
                          const core::Tensor& u, const core::Tensor& vh, const core::Tensor& info);

/// Triangular systems: A X = B or X A = B; X takes the place of B. With `transposed` what lies in
/// memory is the transposed A.
struct Triangle {
  bool upper = false, unit = false, transposed = false;
};
void solve_triangle(const ops::Call& call, const core::Tensor& a, Triangle how, bool left,
                    const core::Tensor& b);

}  // namespace assay::kernels::cuda
