#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The report as a SARIF 2.1.0 log (OASIS, Static Analysis Results Interchange Format), which code
/// scanning services show beside the source: a rule for each failure class, a result for each
/// finding at its source line, and notifications for what left the gate undecided. What fails the
/// gate is an error, a fault that the policy lets pass a warning, all else a note.
/// Throws json::exception where the document lacks a part.
std::string sarif_text(const nlohmann::json& report);

}  // namespace assay::reports
