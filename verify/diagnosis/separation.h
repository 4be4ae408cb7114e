#pragma once

#include <vector>

#include "verify/diagnosis/explain.h"

namespace assay::verify {

struct Separated {
  std::vector<Explained> causes;
  bool out_of_time = false;  ///< The check's time was over before the first was known.
};

/// Takes the cases of one kind of failure apart by cause, as Explainer::explain says. `request` is
/// all of a diagnosis but the case. What several causes together make fail is told for each by
/// itself: at its own smallest case, with the others repaired.
Separated separate_causes(const ExplainOptions& options, const FailureGroup& group,
                          const std::vector<Case>& held, const DiagnosisRequest& request);

}  // namespace assay::verify
