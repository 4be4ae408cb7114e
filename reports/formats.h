#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reports {

/// A form in which a run's report is written; each is made from the JSON document alone. This list
/// is the one place that names them: `assay check --NAME FILE` and `assay report --format NAME`
/// follow from it.
struct Format {
  std::string_view name;  ///< "sarif"
  std::string_view what;  ///< For the help: "as SARIF 2.1.0, for code scanning".
  std::string (*make)(const nlohmann::json& report);
};
const std::vector<Format>& formats();

/// The report in a format. Input error if the document is no report of a version that this program
/// knows, or lacks a part that its schema (report.schema.json) requires.
std::string rendered(const Format& format, const nlohmann::json& report);

}  // namespace assay::reports
