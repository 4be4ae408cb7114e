#pragma once

#include <functional>
#include <vector>

#include "verify/diagnosis/diagnose.h"

namespace assay::verify::diagnosis {

/// One of several faults of a case, to be seen without the others.
struct Alone {
  const DiagnosisRequest* request = nullptr;  ///< With an exporter.
  std::vector<Exchange> others;               ///< What repairs the other faults.
  Case start;                                 ///< A case that has it.
  /// As ExplainOptions::shrink; null: the case stays as it is.
  std::function<void(const Point& start, const std::function<bool(const Point&)>& fails)> shrink;
};

/// Tells a finding as it shows where the other faults are repaired: smallest case, comparison,
/// visibility, axis, boundary. False, and nothing is changed, where it does not show there, or
/// where that cannot be run.
bool tell_alone(const Alone& alone, Finding& finding);

}  // namespace assay::verify::diagnosis
