#pragma once

#include <cstdint>
#include <optional>

// How BLAS, whose matrices lie column after column, is asked for products of matrices that lie in
// any way. Pure functions of sizes and steps.
namespace assay::kernels::cuda {

/// A matrix in memory; steps are in elements.
struct MatrixLayout {
  int64_t rows = 0, columns = 0;
  int64_t row_step = 0, column_step = 0;  ///< From one row to the next, and so on.
};

/// How BLAS reads a matrix: as one that lies column after column, or the transposed one of such.
struct BlasOperand {
  bool transposed = false;
  int64_t leading = 1;  ///< Elements from one column of what lies in memory to the next.
};

/// Nothing where neither the rows nor the columns lie without gaps or apart: it must be copied.
std::optional<BlasOperand> blas_operand(const MatrixLayout& matrix);

/// out (m, n) = first (m, k) second (k, n), column after column.
struct ProductPlan {
  /// The result lies row after row: BLAS forms its transposed one, the transposed right matrix
  /// times the transposed left one.
  bool swapped = false;
  BlasOperand first, second;
  int64_t m = 0, n = 0, k = 0;
  int64_t leading = 1;  ///< Of the result.
};

/// The plan for out = left right; nothing where one of them must be copied first.
std::optional<ProductPlan> plan_product(const MatrixLayout& left, const MatrixLayout& right,
                                        const MatrixLayout& out);

}  // namespace assay::kernels::cuda
