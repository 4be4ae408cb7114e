#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// A number for people: at most four digits, thousands apart. A text ("inf") as it is, escaped;
/// nothing of anything else.
std::string number_text(const nlohmann::json& value);

}  // namespace assay::reports
