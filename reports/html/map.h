#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The shape-space map: an SVG of the judged points over the two sizes that vary most (one size:
/// a line), coloured by verdict, with a text for readers who cannot see it. Empty if no size
/// varies.
std::string shape_map(const nlohmann::json& points);

/// The histogram of absolute errors by decade of one output (ValueError::histogram), as an SVG.
std::string error_histogram(const nlohmann::json& histogram);

}  // namespace assay::reports
