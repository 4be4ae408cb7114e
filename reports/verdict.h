#pragma once

#include <string>

#include "verify/findings/run_report.h"

namespace assay::reports {

/// The verdict in one sentence with its scope: what was compared and where it is right or wrong,
/// and what was held fixed or not tested. For all reports.
std::string verdict_sentence(const verify::RunReport& report);

/// What stands behind the count of AS117: "(largest 3e-05, where rounding alone moves 2e-05)";
/// empty where nothing was adjudicated.
std::string adjudicated_text(const verify::RunReport& report);

/// "12 of 60 passing cases also run by PyTorch 1.13.1 (/usr/bin/python3): all agree"; empty where
/// no PyTorch was asked to.
std::string in_pytorch_text(const verify::RunReport& report);

/// Of an archive that is held against nothing but itself: what a pass rests on, and what it does
/// not say. Empty for any other.
std::string alone_text(const verify::RunReport& report);

/// "n 0, 1, 7": the features that were varied, with what was tried.
std::string varied_scope(const verify::RunReport& report);
/// "device cpu, mode eval": the features that had one value only.
std::string fixed_scope(const verify::RunReport& report);

}  // namespace assay::reports
