#include "reports/html/guards.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::reports {
namespace {

TEST(GuardsHtml, TellsEachConditionAndWhatCameOfIt) {
  auto report = nlohmann::json::parse(R"json({"guards": {"traced": true, "for_all_sizes": false,
    "sentence": "valid where h < 3", "rests_on": "dtype (x.dtype)", "fixed": [
      {"expression": "b", "value": "2", "what": "aten::arange (end)", "place": "net.py:4"}],
    "conditions": [{"condition": "h < 3", "written": "x.size(2) < 3", "place": "net.py:2",
      "kind": "false at some sizes of the spec", "otherwise": "x f32[4]", "outcome": "violated"}]}})json");
  std::string html = guards_html(report);
  for (const char* part : {"valid where h &lt; 3", "That rests on: dtype (x.dtype)", "net.py:2",
                           "false at x f32[4]: violated", "fixed at 2 in aten::arange (end)"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part << " in " << html;
  }
}

TEST(GuardsHtml, SaysNothingOfOtherExports) {
  EXPECT_EQ(guards_html(nlohmann::json::object()), "");
  EXPECT_EQ(guards_html(nlohmann::json::parse(R"({"guards": {"traced": false}})")), "");
}

}  // namespace
}  // namespace assay::reports
