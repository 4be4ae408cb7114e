#include <fmt/core.h>

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
  base::check(arguments.operands().size() == 1,
              "name one report: assay report run.json --format html");
  std::string format = arguments.value_or("--format", "html");
  base::check(format == "html" || format == "json", "unknown format '", format,
              "'; known: html, json");
  const std::string& path = arguments.operands()[0];
  nlohmann::json document;
  try {
    document = nlohmann::json::parse(read_file(path));
  } catch (const nlohmann::json::exception& e) {
    base::fail(path, " is not JSON: ", e.what());
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
