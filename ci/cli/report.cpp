#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ci/cli/files.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "reports/formats.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

std::string names() {
  std::vector<std::string> all;
  for (const reports::Format& format : reports::formats()) all.emplace_back(format.name);
  return base::join(all, ", ");
}

const reports::Format& format_of(const std::string& name) {
  const auto& all = reports::formats();
  auto found = std::ranges::find(all, name, &reports::Format::name);
  base::check(found != all.end(), "unknown format '", name, "'; known: ", names());
  return *found;
}

int run_report(const Arguments& arguments) {
  const std::string& path =
      arguments.only_operand("one report", "assay report run.json --format html");
  const reports::Format& format = format_of(arguments.value_or("--format", "html"));
  const std::string written = read_file(path);
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(written);
  } catch (const nlohmann::json::parse_error& e) {
    // The byte is counted from 1, and may be the one behind the end.
    std::string_view before = std::string_view(written).substr(0, e.byte > 0 ? e.byte - 1 : 0);
    auto line = std::count(before.begin(), before.end(), '\n') + 1;
    size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    base::fail(path, " is no report: it is not JSON at line ", line, ", column ", column,
               "; make one with assay check --json");
  }
  std::string text;
  try {
    text = reports::rendered(format, document);
  } catch (base::Error& e) {
    e.add_context(fmt::format("reading {}", path));
    throw;
  }
  write_file(arguments.value_or("--output", "-"), text);
  return verify::exit_passed;
}

}  // namespace

Verb report_verb() {
  return {"report",
          "Renders the report of an earlier run again, without running anything.",
          "run.json",
          "assay report run.json --format html -o report.html",
          {{"--format", "NAME", fmt::format("what to write: {} (html)", names())},
           {"--output,-o", "FILE", "where to (standard output)"}},
          false,
          run_report};
}

}  // namespace assay::cli
