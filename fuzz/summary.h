#pragma once

#include "fuzz/session.h"

namespace assay::fuzz {

/// Fills what a report says beside its findings: outcomes, axes with what was declared, exercised
/// and found, benign counts (AS901 to AS904), what was not tested, errors and totals. `boundaries`
/// are those that belong to no finding. No further export is made once `over` says so.
void summarize(const SessionRequest& request, const CampaignResult& result,
               const std::vector<verify::Boundary>& boundaries, const std::function<bool()>& over,
               verify::RunReport& report);

/// "ASSAY1:...", with which `assay replay` makes a finding's smallest case again (verify/cases/
/// reproduce.h); empty where no text can say that case.
std::string repro_of(const verify::RunReport& report, const verify::Finding& finding);

}  // namespace assay::fuzz
