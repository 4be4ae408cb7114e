#include "engine/kernels/cuda/product_plan.h"

#include <algorithm>

namespace assay::kernels::cuda {
namespace {

/// The columns lie without gaps, each behind the end of the one before. A single row or column has
/// no step that matters.
std::optional<BlasOperand> by_columns(const MatrixLayout& m) {
  int64_t least = std::max<int64_t>(1, m.rows);
  if (m.rows > 1 && m.row_step != 1) return std::nullopt;
  if (m.columns > 1 && m.column_step < least) return std::nullopt;
  return BlasOperand{false, m.columns > 1 ? m.column_step : least};
}

MatrixLayout turned(const MatrixLayout& m) {
  return {m.columns, m.rows, m.column_step, m.row_step};
}

}  // namespace

std::optional<BlasOperand> blas_operand(const MatrixLayout& matrix) {
  auto plain = by_columns(matrix), transposed = by_columns(turned(matrix));
  if (transposed) transposed->transposed = true;
  // A column is one of BLAS's vectors; of what may be read either way the rest is row-major.
  if (plain && matrix.columns <= 1) return plain;
  return transposed ? transposed : plain;
}

std::optional<ProductPlan> plan_product(const MatrixLayout& left, const MatrixLayout& right,
                                        const MatrixLayout& out) {
  auto a = blas_operand(left), b = blas_operand(right), c = blas_operand(out);
  if (!a || !b || !c) return std::nullopt;
  ProductPlan plan;
  plan.swapped = c->transposed;
  plan.leading = c->leading;
  plan.k = left.columns;
  if (plan.swapped) {
    plan.first = {!b->transposed, b->leading};
    plan.second = {!a->transposed, a->leading};
    plan.m = out.columns;
    plan.n = out.rows;
  } else {
    plan.first = *a;
    plan.second = *b;
    plan.m = out.rows;
    plan.n = out.columns;
  }
  return plan;
}

}  // namespace assay::kernels::cuda
