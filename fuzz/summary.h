#pragma once

#include "fuzz/session.h"

namespace assay::fuzz {

/// Fills what a report says beside its findings: outcomes, axes with what was declared, exercised
/// and found, benign counts (AS901 to AS904), what was not tested, errors and totals. `boundaries`
/// are those that belong to no finding. No further export is made once `over` says so.
void summarize(const SessionRequest& request, const CampaignResult& result,
               const std::vector<verify::Boundary>& boundaries, const std::function<bool()>& over,
               verify::RunReport& report);

}  // namespace assay::fuzz
