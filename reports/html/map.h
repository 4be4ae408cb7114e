#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// Where the export is right: the judged cases of a report by their sizes. One varying letter gives
/// a row of sizes, more give a picture (SVG) of two: those that decide a finding, then those with
/// the most sizes. Marks differ in form, not by colour alone, and a legend tells them. Empty where
/// no letter varies.
std::string shape_map(const nlohmann::json& report);

/// A boundary's regions along a size, as a row of intervals; empty for other axes.
std::string boundary_strip(const nlohmann::json& boundary);

}  // namespace assay::reports
