#include "reports/html/findings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

TEST(FindingsHtml, ThoseOfOneSourceLineStandTogether) {
  verify::RunReport r = sample_report();
  r.findings.push_back(r.findings[0]);
  r.findings.push_back(r.findings[0]);
  r.findings[1].id = "F2";
  r.findings[1].cause.line = 50;
  r.findings[2].id = "F3";
  std::string html = findings_html(to_json(r));
  size_t together = html.find("<h3>encoder.py:41 (2 findings)</h3>");
  size_t other = html.find("<h3>encoder.py:50</h3>");
  ASSERT_NE(together, std::string::npos);
  ASSERT_NE(other, std::string::npos);
  EXPECT_LT(html.find("id=\"F3\""), other);
  EXPECT_GT(html.find("id=\"F2\""), other);
}

TEST(FindingsHtml, ShowsTheSourceLineEscaped) {
  verify::RunReport r = sample_report();
  r.findings[0].cause.source = "return x < y";
  std::string html = findings_html(to_json(r));
  EXPECT_NE(html.find(">return x &lt; y</pre>"), std::string::npos);
}

TEST(FindingsHtml, SaysWhenThereAreNone) {
  verify::RunReport r = sample_report();
  r.findings.clear();
  EXPECT_EQ(findings_html(to_json(r)), "<p>None.</p>\n");
}

}  // namespace
}  // namespace assay::reports
