#include "engine/ops/infer/factorization.h"

#include "engine/base/error.h"

namespace assay::ops::infer {

void check_matrices(const char* what, const core::Tensor& t) {
  base::check(t.dim() >= 2, what, ": The input tensor must have at least 2 dimensions, and has ",
              t.dim());
}

void check_square(const char* what, const core::Tensor& t) {
  check_matrices(what, t);
  int64_t rows = t.size(t.sizes().size() - 2), columns = t.sizes().back();
  base::check(rows == columns, what, ": A must be batches of square matrices, but they are ", rows,
              " by ", columns, " matrices");
}

}  // namespace assay::ops::infer
