#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The report as Markdown (GitHub's), for a comment on a change or a CI job's summary: verdict and
/// scope, where it is right, findings, outputs, what was not tested, provenance. Shorter than the
/// HTML page, which has the graphs and the map.
/// Throws json::exception where the document lacks a part.
std::string markdown_text(const nlohmann::json& report);

}  // namespace assay::reports
