#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "verify/diagnosis/repair.h"
#include "verify/findings/finding.h"
#include "verify/properties/property.h"
#include "verify/run/export.h"

namespace assay::verify {

/// A failure that wants an explanation.
struct DiagnosisRequest {
  const Spec* spec = nullptr;
  std::string property;
  /// The subject as the engine runs it.
  std::shared_ptr<const Export> subject;
  /// Makes further exports of the model; null where there is none.
  Exporter* exporter = nullptr;
  Case failing;         ///< The smallest case that fails.
  Judgement judgement;  ///< What the property said there.
  /// A case that holds, as near to the failing one as is known (the subject's own example).
  std::optional<Case> right;
  /// Further cases that fail alike: a fit must explain them too.
  std::vector<Case> others;
  /// The only cases that the reference has (a recording), else null: boundaries are then measured
  /// at these alone.
  const std::vector<Case>* only = nullptr;
  /// Explain this very case rather than one nearer to the right case, which has fewer faults.
  bool this_case = false;
  /// Whether to measure the boundary, too; the cause does not depend on it.
  bool with_boundary = true;
  /// The property with another subject in place of the one under test.
  diagnosis::JudgeRunner judge;
  /// Null where no model is beside the subject.
  diagnosis::JudgeWithout judge_without = nullptr;
  /// Whether the check's time is over; nothing is judged or exported then.
  std::function<bool()> over = [] { return false; };
};

/// What came of a diagnosis.
struct Diagnosis {
  /// One for each cause that the proof had to repair, the deciding one first: a case may need more
  /// than one repair. Empty where the difference is deliberate (AS901): a device that the model
  /// names itself.
  std::vector<Finding> findings;
  /// Judges a case with all of these causes repaired as for the proof; null where none was proven.
  diagnosis::JudgeRepaired repaired;
  /// What was exchanged for each of the findings, in their order; empty where that cannot be done
  /// together with other exchanges.
  std::vector<diagnosis::Exchange> exchanges;
  /// The lines of the model without whose effect it gives what the export gives, where these are
  /// the one finding's proof.
  std::vector<Omission> omitted;
  /// Time was over before a cause was proven: what is named may be half of the evidence.
  bool out_of_time = false;
};

/// Explains a failure: decides the axis, re-exports at perturbed inputs, aligns, fits, attributes,
/// proves by substitution and measures the boundary, in the decision order of the failure classes.
Diagnosis diagnose(const DiagnosisRequest& request);

}  // namespace assay::verify
