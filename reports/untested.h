#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay::reports {

/// What a run did not test, a sentence each, from its JSON document: declared and never compared,
/// cases that were not compared, comparisons that say little, what was not varied. Plain text.
std::vector<std::string> untested(const nlohmann::json& report);

}  // namespace assay::reports
