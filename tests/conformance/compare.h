#pragma once

#include <optional>
#include <string>

#include "engine/core/value.h"

namespace assay::conformance {

struct Tolerance {
  /// Relative and absolute bounds for every floating type; without them PyTorch's own test
  /// tolerances per dtype are used.
  std::optional<double> rtol, atol;
  /// Compare kinds, dtypes and shapes only.
  bool shapes_only = false;
};

/// Nothing if `actual` is what was expected, else the first difference with its path. Kinds,
/// dtypes and shapes must be equal, numbers within the tolerance, everything else equal; NaN equals
/// NaN.
std::optional<std::string> difference(const core::Value& actual, const core::Value& expected,
                                      const Tolerance& tolerance, const std::string& path);

}  // namespace assay::conformance
