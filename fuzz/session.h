#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fuzz/campaign.h"
#include "verify/diagnosis/origin.h"
#include "verify/findings/accepted.h"
#include "verify/findings/gate.h"
#include "verify/run/export.h"

namespace assay::fuzz {

/// Everything one check needs.
struct SessionRequest {
  verify::RunReport header;  ///< Tool, run and model as far as the caller knows them.
  verify::Spec spec;
  verify::Subject subject;
  std::shared_ptr<const verify::Export> exported;  ///< The subject, for diagnosis.
  verify::Reference reference;                     ///< runner may be null: no reference.
  verify::Exporter* exporter = nullptr;            ///< Null where no further exports can be made.
  std::vector<std::shared_ptr<const verify::Property>> properties;
  CampaignOptions campaign;
  verify::GatePolicy gate;
  /// Faults that do not fail the gate, and the day that decides which of them have expired.
  std::vector<verify::Accepted> accepted;
  std::string today;
  verify::CompareOptions compare;
  /// The text of a line of the model's source as it stands there; null where the source is not at
  /// hand.
  verify::diagnosis::SourceText source_line;
  /// Failures that are diagnosed at most, each with exports of its own; the rest is counted.
  size_t max_diagnoses = 12;
  /// Of the budget's time: what was spent before (the host's start, the export).
  double seconds_spent = 0;
};

/// Runs the campaign, explains every kind of failure, merges those with one cause, and decides the
/// gate. Where the budget ends in time, all of it ends a few seconds later at most, save for the
/// run or export that is under way: the campaign has what was not spent, and a quarter of the
/// budget at least; what is not explained then is told as it was met. Listeners in `campaign` hear
/// of the run, each finding and its end. Never throws for what subject, reference or exporter do.
verify::RunReport run_session(const SessionRequest& request);

}  // namespace assay::fuzz
