#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ci/cli/files.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "reports/html/page.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

std::string render(const nlohmann::json& document, const std::string& format) {
  return format == "html" ? reports::html_page(document) : document.dump(2) + "\n";
}

int run(const Arguments& arguments) {
  const std::string& path =
      arguments.only_operand("one report", "assay report run.json --format html");
  std::string format = arguments.value_or("--format", "html");
  base::check(format == "html" || format == "json", "unknown format '", format,
              "'; known: html, json");
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
    text = render(document, format);
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
          {{"--format", "html|json", "what to write (html)"},
           {"--output,-o", "FILE", "where to (standard output)"}},
          false,
          run};
}

}  // namespace assay::cli
