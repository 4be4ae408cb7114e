#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::ops {

/// A number as a function of others, in the forms that shapes of results take:
/// (scale * e1 * e2 * ... + offset) / divisor, rounded down, or e1 + e2 + ... + offset.
struct SizeFit {
  std::vector<size_t> terms;  ///< Positions of the e among the variables; none for a constant.
  bool is_sum = false;        ///< The terms are added, not multiplied.
  int64_t scale = 1;
  int64_t offset = 0;
  int64_t divisor = 1;
};

/// The simplest form that gives the answer in every observation: `answers[k]` where the variables
/// were `variables[i][k]`. `groups` are variables (positions) whose product is tried as a whole:
/// the sizes of one tensor. Nothing if no form fits. With fewer than two different observations
/// nothing but a constant or a variable itself is found.
std::optional<SizeFit> fit_size(const std::vector<int64_t>& answers,
                                const std::vector<std::vector<int64_t>>& variables,
                                const std::vector<std::vector<size_t>>& groups);

}  // namespace assay::ops
