#include "engine/ops/infer/factorization.h"

#include "engine/base/error.h"

namespace assay::ops::infer {

void check_matrices(const char* what, const core::Tensor& matrices) {
  base::check(matrices.dim() >= 2, what,
              ": The input tensor must have at least 2 dimensions, and has ", matrices.dim());
}

void check_square(const char* what, const core::Tensor& matrices) {
  check_matrices(what, matrices);
  core::DimSpan sizes = matrices.sizes();
  int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
  base::check(rows == columns, what, ": A must be batches of square matrices, but they are ", rows,
              " by ", columns, " matrices");
}

}  // namespace assay::ops::infer
