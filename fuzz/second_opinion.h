#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/host_sample.h"
#include "verify/diagnosis/explain.h"

namespace assay::fuzz {

/// What the host's PyTorch says of a campaign in which assay's engine ran the archive.
struct SecondOpinion {
  verify::RunReport::InPytorch runs;
  /// Where PyTorch runs the archive otherwise than the engine; nothing where it was not seen to.
  std::optional<verify::Case> otherwise_at;
  /// The failure there that only PyTorch's run shows, if it is one: a flaky one does not show
  /// again.
  std::optional<verify::FailureGroup> failure;
  /// Failures of the campaign that PyTorch does not have.
  std::vector<verify::FailureGroup> of_assay;
};

/// Asks PyTorch to confirm each failure and, as long as it confirms what the engine did, to run the
/// sample. `sample`: null where passing cases cannot be held against the model. `stop` ends it;
/// `fits`: whether there is time for a case that takes so many seconds.
SecondOpinion second_opinion(const verify::Explainer& explainer, const verify::Subject& subject,
                             const CampaignResult& result, const HostSample* sample,
                             const std::function<bool()>& stop,
                             const std::function<bool(double)>& fits);

}  // namespace assay::fuzz
