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

TEST(Console, TellsAFindingAsTheConventionsShow) {
  verify::Finding f = sample_report().findings[0];
  f.evidence.exports = {{"5", "5"}, {"7", "7"}, {"11", "11"}, {"13", "13"}};
  f.subject_gave = "f32[1, 7, 4]";
  f.reference_gave = "f32[1, 1, 4]";
  f.hint = "use the size itself";
  f.cause.function = "add_positions";
  EXPECT_EQ(finding_text(f),
            "AS102 pinned size (silent)  forward  output[0]: shape: f32[1, 7, 4] instead of f32[1, "
            "1, 4]\n"
            "  dim ids.1 (t): right only at t = 7; error at t in 2..6, 8..64\n"
            "  cause: literal 7 in aten::arange (end), encoder.py:41 in add_positions  [proven by "
            "substitution]\n"
            "  7 = t over 4 exports (5→5, 7→7, 11→11, 13→13)\n"
            "  smallest case: unknown        export f32[1, 7, 4], model f32[1, 1, 4]\n"
            "  hint: use the size itself\n"
            "  met in 3 cases\n"
            "  repro: assay replay 'ASSAY1:abc'\n");
}

TEST(Console, AFindingOfEveryPartHasTenLines) {
  verify::Finding f = sample_report().findings[0];
  for (int k = 0; k < 9; ++k) {
    f.boundaries.push_back(f.boundaries[0]);
    f.evidence.exports.emplace_back("9", "9");
    f.evidence.notes.push_back("a note");
  }
  f.comparison.differences[0].subject = "a\nmessage\nof several lines";
  std::string text = finding_text(f);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST(Console, TellsWhatElseIsKnownOfTheCauseWhereALineIsLeft) {
  verify::Finding f = sample_report().findings[0];
  f.evidence.notes = {"it takes effect at encoder.py:43", "a second export fails there too"};
  std::string note = "  note: it takes effect at encoder.py:43; a second export fails there too\n";
  EXPECT_NE(finding_text(f).find(note), std::string::npos) << finding_text(f);
  f.confirmation = "PyTorch runs it otherwise than the model, too";
  f.boundaries.assign(3, f.boundaries[0]);
  EXPECT_EQ(finding_text(f).find("  note: "), std::string::npos) << finding_text(f);
}

TEST(Console, CutsNoValueInTwo) {
  verify::Finding f = sample_report().findings[0];
  verify::Difference& d = f.comparison.differences[0];
  d.subject = "{'left': f32[1, 7, 4], 'right': [" + std::string(300, '1') + ", 2]}";
  std::string line = finding_text(f).substr(0, finding_text(f).find('\n'));
  EXPECT_TRUE(line.ends_with("output[0]: shape: …")) << line;
  d.subject = "f32[1, 7, 4]";
  d.reference = std::string(90, 'a') + ' ' + std::string(90, 'b') + ' ' + std::string(90, 'c');
  line = finding_text(f).substr(0, finding_text(f).find('\n'));
  EXPECT_TRUE(line.ends_with("a …")) << line;
}

TEST(Console, ALongConditionKeepsBothItsEnds) {
  verify::RunReport r = sample_report();
  r.guards.traced = true;
  r.guards.conditions.resize(1);
  verify::RunReport::Guard& guard = r.guards.conditions[0];
  guard.condition = "size" + std::string(45, '(') + "é" + std::string(60, ')') + " == 12";
  guard.place = "net.py:3";
  guard.otherwise = "x f32[2]";
  EXPECT_NE(summary_text(r).find("    size" + std::string(45, '(') + "…" + std::string(24, ')') +
                                 " == 12 (net.py:3) is false at x f32[2]: not judged\n"),
            std::string::npos)
      << summary_text(r);
}

TEST(Console, SaysInWordsWhatIsOnlyCounted) {
  verify::RunReport r = sample_report();
  r.benign = {{"AS901", 170}};
  EXPECT_NE(summary_text(r).find("AS901 benign constant: 170 (a literal that is the same in every "
                                 "export, or that a weight fixes; nothing to do)"),
            std::string::npos)
      << summary_text(r);
}

TEST(Console, SaysWhichFindingsTheGateLetsPass) {
  verify::RunReport r = sample_report();
  r.gate.not_gated = {"F1: AS102 pinned size (silent): --fail-class leaves it out"};
  EXPECT_NE(summary_text(r).find("  not gated: F1: AS102"), std::string::npos);
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
