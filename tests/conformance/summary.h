#pragma once

#include <string>
#include <vector>

#include "tests/conformance/case.h"

namespace assay::conformance {

/// The results as text for people: pass rates (all; without the one-operator tests; real-world
/// calls), failures by reason, missing operators by frequency.
std::string summary(const std::vector<Result>& results);
/// The same and every result, as JSON.
std::string json_report(const std::vector<Result>& results);

}  // namespace assay::conformance
