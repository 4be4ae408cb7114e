#include "reports/formats.h"

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "reports/html/page.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"

namespace assay::reports {

using nlohmann::json;

namespace {

std::string as_it_is(const json& report) { return report.dump(2) + "\n"; }

bool is_report(const json& document) {
  return document.is_object() && document.contains("schema_version") &&
         document.at("schema_version").is_string() &&
         document.at("schema_version").get<std::string>().starts_with("1.");
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"json", "as JSON (reports/report.schema.json)", as_it_is},
      {"html", "as one HTML page", html_page},
      {"md", "as Markdown, for a change's discussion", markdown_text},
      {"sarif", "as SARIF 2.1.0, for code scanning", sarif_text},
      {"junit", "as JUnit XML, for CI servers", junit_text},
  };
  return all;
}

std::string rendered(const Format& format, const json& report) {
  base::check(is_report(report),
              "this is no assay report of schema version 1; make it with assay check --json");
  try {
    return format.make(report);
  } catch (const json::exception& e) {
    base::fail("this report lacks a part that its schema requires: ", e.what());
  }
}

}  // namespace assay::reports
