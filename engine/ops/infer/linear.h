#pragma once

#include "engine/core/tensor.h"
#include "engine/ops/rule.h"

namespace assay::ops::infer {

// Shapes of products of matrices and vectors. All operands have one dtype, which is the result's;
// results are row-major.

extern const Rule mm;       ///< (n, k) x (k, m) -> (n, m)
extern const Rule bmm;      ///< (b, n, k) x (b, k, m) -> (b, n, m)
extern const Rule mv;       ///< (n, k) x (k) -> (n)
extern const Rule dot;      ///< (k) x (k) -> ()
extern const Rule outer;    ///< (n) x (m) -> (n, m), dtypes promoted
extern const Rule addmm;    ///< self broadcast to mm's shape
extern const Rule addmv;    ///< self broadcast to mv's shape
extern const Rule addr;     ///< self broadcast to outer's shape
extern const Rule baddbmm;  ///< self broadcast to bmm's shape
extern const Rule addbmm;   ///< bmm summed over the batch
/// NumPy's matmul: vectors are rows or columns, leading dimensions are broadcast.
extern const Rule matmul;
/// (..., in) x (out, in) + bias -> (..., out); a weight of one dimension drops the last one.
extern const Rule linear;
/// (..., a), (..., b), weight (out, a, b) -> (..., out)
extern const Rule bilinear;
/// Vectors of 3 along a dimension; shapes broadcast.
extern const Rule linalg_cross;
/// Square matrices (..., n, n) to such, column by column in memory, as LAPACK leaves them.
extern const Rule linalg_cholesky;

/// Raises PyTorch's error of expand() unless a tensor of these sizes can be repeated to `to`.
void check_expandable(core::DimSpan sizes, core::DimSpan to);

}  // namespace assay::ops::infer
