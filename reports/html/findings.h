#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// Every finding of a report, grouped by the source line that causes it: verdict, line, proof,
/// boundary, the two graphs side by side, the smallest case and how to reproduce it.
std::string findings_html(const nlohmann::json& report);

}  // namespace assay::reports
