#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// Where the trace is right as far as it knows itself, its conditions, and what came of the cases
/// that make them false; empty for an export that assay's engine did not trace.
std::string guards_html(const nlohmann::json& report);

}  // namespace assay::reports
