#include "reports/console.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

TEST(Console, TellsAFindingInAtMostTenLines) {
  std::string text = finding_text(sample_report().findings[0]);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 10);
  for (const char* part :
       {"AS102 pinned size (silent)", "t = 7", "literal 7 in aten::arange (end), encoder.py:41",
        "[proven by substitution]", "7 = t over 4 exports (5→5, 7→7)",
        "assay replay 'ASSAY1:abc'"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nnot in\n" << text;
  }
}

TEST(Console, SaysWhatWasAndWasNotTested) {
  verify::RunReport r = sample_report();
  verify::AxisReport untested;
  untested.axis.kind = "device";
  r.axes.push_back(untested);
  std::string text = summary_text(r);
  EXPECT_NE(text.find("FAILED"), std::string::npos);
  EXPECT_NE(text.find("compared: t 1, 7, 8"), std::string::npos) << text;
  EXPECT_NE(text.find("not tested: device"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::reports
