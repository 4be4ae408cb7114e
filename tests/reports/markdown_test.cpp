#include "reports/markdown.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

std::string markdown(const verify::RunReport& report) { return markdown_text(to_json(report)); }

TEST(Markdown, TellsVerdictBoundaryFindingAndProvenance) {
  std::string text = markdown(sample_report());
  for (const char* part : {": failed\n", "| dim ids.1 (t) | wrong | right only at t = 7 | 1..64 |",
                           "### AS102 pinned size", "proven by substitution", "ASSAY1:abc",
                           "## Provenance", "- seed: 7"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Markdown, HostileTextStaysText) {
  verify::RunReport r = sample_report();
  r.axes[0].declared = "a|b\n| c | `d`";
  std::string text = markdown(r);
  EXPECT_EQ(text.find("<script>"), std::string::npos) << text;
  EXPECT_NE(text.find("a\\|b \\| c \\| \\`d\\`"), std::string::npos) << text;
}

TEST(Markdown, AFenceIsLongerThanThoseInTheText) {
  verify::RunReport r = sample_report();
  r.run.command = "assay check '````'";
  EXPECT_NE(markdown(r).find("\n`````text\nassay check '````'\n`````\n"), std::string::npos);
}

TEST(Markdown, ARunWithoutFindingsHasNoSectionForThem) {
  verify::RunReport r = sample_report();
  r.findings.clear();
  r.gate.exit_code = 0;
  std::string text = markdown(r);
  EXPECT_NE(text.find(": passed\n"), std::string::npos);
  EXPECT_EQ(text.find("## Findings"), std::string::npos);
}

}  // namespace
}  // namespace assay::reports
