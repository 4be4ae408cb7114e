// What BLAS is asked for, against products formed by their definition.

#include "engine/kernels/cuda/product_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "tests/engine/kernels/draw.h"
#include "tests/engine/kernels/property.h"

namespace assay::kernels::testing {
namespace {

using cuda::BlasOperand;
using cuda::MatrixLayout;

MatrixLayout draw_layout(int64_t rows, int64_t columns, bool by_rows) {
  int64_t gap = between(0, 3);
  MatrixLayout m{rows, columns, 1, std::max<int64_t>(1, rows) + gap};
  if (by_rows) m = {rows, columns, std::max<int64_t>(1, columns) + gap, 1};
  // Steps along a single row or column may be anything.
  if (rows == 1 && chance(50)) m.row_step = between(0, 5);
  if (columns == 1 && chance(50)) m.column_step = between(0, 5);
  return m;
}

int64_t place(const MatrixLayout& m, int64_t row, int64_t column) {
  return row * m.row_step + column * m.column_step;
}

/// Distinct numbers where the matrix has elements, and NaN elsewhere.
std::vector<double> fill(const MatrixLayout& m, double first) {
  std::vector<double> memory(
      static_cast<size_t>((m.rows + 1) * (m.columns + 5) * (m.row_step + m.column_step + 1)), NAN);
  for (int64_t i = 0; i < m.rows; ++i) {
    for (int64_t j = 0; j < m.columns; ++j)
      memory[static_cast<size_t>(place(m, i, j))] = first + static_cast<double>(i * 7 + j);
  }
  return memory;
}

double read(const std::vector<double>& memory, const BlasOperand& how, int64_t row,
            int64_t column) {
  if (how.transposed) std::swap(row, column);
  return memory.at(static_cast<size_t>(row + column * how.leading));
}

TEST(ProductPlan, FormsTheProduct) {
  EXPECT_TRUE(holds("ProductPlan", 500, [] {
    int64_t n = between(1, 5), k = between(1, 5), m = between(1, 5);
    MatrixLayout left = draw_layout(n, k, chance(50)), right = draw_layout(k, m, chance(50)),
                 out = draw_layout(n, m, chance(50));
    auto plan = cuda::plan_product(left, right, out);
    RC_ASSERT(plan.has_value());
    auto a = fill(left, 1), b = fill(right, 100), c = fill(out, 0);
    const auto& first = plan->swapped ? b : a;
    const auto& second = plan->swapped ? a : b;
    RC_ASSERT(plan->leading >= plan->m);
    RC_ASSERT(plan->first.leading >= (plan->first.transposed ? plan->k : plan->m));
    RC_ASSERT(plan->second.leading >= (plan->second.transposed ? plan->n : plan->k));
    for (int64_t j = 0; j < plan->n; ++j) {
      for (int64_t i = 0; i < plan->m; ++i) {
        double sum = 0;
        for (int64_t p = 0; p < plan->k; ++p)
          sum += read(first, plan->first, i, p) * read(second, plan->second, p, j);
        c.at(static_cast<size_t>(i + j * plan->leading)) = sum;
      }
    }
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < m; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum += a[static_cast<size_t>(place(left, i, p))] *
                 b[static_cast<size_t>(place(right, p, j))];
        RC_ASSERT(c[static_cast<size_t>(place(out, i, j))] == sum);
      }
    }
  }));
}

TEST(ProductPlan, RefusesWhatMustBeCopied) {
  MatrixLayout plain{3, 4, 4, 1}, gaps{3, 4, 8, 2}, repeated{3, 4, 0, 1}, overlapping{3, 4, 2, 1};
  EXPECT_TRUE(cuda::blas_operand(plain));
  EXPECT_FALSE(cuda::blas_operand(gaps));
  EXPECT_FALSE(cuda::blas_operand(repeated));
  EXPECT_FALSE(cuda::blas_operand(overlapping));
  EXPECT_FALSE(cuda::plan_product(gaps, {4, 2, 2, 1}, {3, 2, 2, 1}));
}

}  // namespace
}  // namespace assay::kernels::testing
