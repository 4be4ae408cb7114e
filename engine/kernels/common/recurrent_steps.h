#pragma once

#include <cstdint>
#include <vector>

#include "engine/ops/infer/recurrent.h"

namespace assay::kernels {

/// Which rows of a recurrent layer's input, state and result go together.
struct RecurrentSteps {
  /// The rows that each step gives, and where they begin among the result's rows.
  std::vector<int64_t> rows, begin;
  int64_t total = 0;
  bool shares_rows = false;

  /// `batch_sizes`: those of a packed sequence; nothing else is.
  RecurrentSteps(const ops::infer::Recurrent& r, const std::vector<int64_t>& batch_sizes);

  /// The row of the layer's input that the n-th row of the state sees in a step.
  int64_t input_row(size_t step, int64_t n) const {
    return shares_rows ? static_cast<int64_t>(step) : begin[step] + n;
  }
};

}  // namespace assay::kernels
