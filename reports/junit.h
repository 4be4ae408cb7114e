#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The report as JUnit XML, as CI servers read it: a suite for the model with a test for each
/// property, each finding and each feature that the spec lets vary, and one for the gate's own
/// verdict. Names hold no sizes, seeds or counts, so that a server's history goes on; the body of a
/// failure says all, since some servers show nothing else. A finding that does not fail the gate is
/// a passed test with its text as output; what was not tested is skipped, with the reason.
/// Throws json::exception where the document lacks a part.
std::string junit_text(const nlohmann::json& report);

}  // namespace assay::reports
