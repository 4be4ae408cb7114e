#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The report as one HTML file, made from the JSON document alone (reports/report.schema.json). It
/// needs nothing else: no network, no other file. Works with the keyboard, in dark and light.
/// Order: verdict and scope, axes, findings, errors, what was not tested, provenance.
/// Throws json::exception where the document lacks a part.
std::string html_page(const nlohmann::json& report);

}  // namespace assay::reports
