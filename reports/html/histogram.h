#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// Elements by the decade of their absolute error, as bars (SVG). A bar's height is the logarithm
/// of its count, so that a single element shows beside a million.
std::string error_histogram(const nlohmann::json& histogram);

}  // namespace assay::reports
