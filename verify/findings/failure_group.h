#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/findings/finding.h"
#include "verify/properties/property.h"

namespace assay::verify {

/// Failures of one property that count as one kind until they are diagnosed.
struct FailureGroup {
  std::string property;
  std::string key;  ///< What its cases have in common, as far as it shows without a diagnosis.
  Visibility visibility = Visibility::none;
  Case first;                ///< As first met.
  Case smallest;             ///< As far as it was shrunk.
  Judgement judgement;       ///< At the smallest case.
  std::vector<Case> path;    ///< From the first to the smallest, as it was shrunk.
  std::vector<Case> others;  ///< Further cases that failed alike, the first 100.
  int64_t count = 0;
  bool flaky = false;
  bool shrunk_fully = false;
};

}  // namespace assay::verify
