#include "reports/junit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

std::string junit(const verify::RunReport& report) { return junit_text(to_json(report)); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

verify::RunReport failing() {
  verify::RunReport r = sample_report();
  r.gate.failing = {"F1"};
  return r;
}

/// Of the sample: one finding, one declared feature, the gate.
TEST(Junit, AFindingThatFailsTheGateIsAFailure) {
  std::string text = junit(failing());
  EXPECT_TRUE(has(text, "tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\"")) << text;
  EXPECT_TRUE(has(text, "name=\"parity[dim ids.1 (t)] AS102\"")) << text;
  EXPECT_TRUE(has(text, "file=\"encoder.py\" line=\"41\"")) << text;
  EXPECT_TRUE(has(text, "type=\"AS102.silent\"")) << text;
  EXPECT_TRUE(has(text, "name=\"gate\"")) << text;
}

TEST(Junit, TheBodyOfAFailureSaysAll) {
  std::string text = junit(failing());
  size_t begin = text.find("<failure"), end = text.find("</failure>");
  ASSERT_NE(end, std::string::npos);
  std::string body = text.substr(text.find('>', begin) + 1, end - text.find('>', begin));
  for (const char* part : {"AS102", "encoder.py:41", "right only at t = 7", "ASSAY1:abc"})
    EXPECT_TRUE(has(body, part)) << part << "\n" << body;
}

TEST(Junit, HostileTextStaysText) {
  std::string text = junit(failing());
  EXPECT_FALSE(has(text, "<script>"));
  EXPECT_TRUE(has(text, "assay.model.py:Net&lt;script&gt;"));
}

TEST(Junit, WhatDoesNotFailTheGateIsNoFailure) {
  verify::RunReport r = sample_report();
  r.gate.exit_code = 0;
  std::string text = junit(r);
  EXPECT_TRUE(has(text, "failures=\"0\" errors=\"0\"")) << text;
  EXPECT_TRUE(has(text, "<system-out>AS102 pinned size")) << text;
}

TEST(Junit, UndecidedIsAnErrorAndUntestedIsSkipped) {
  verify::RunReport r = sample_report();
  r.findings.clear();
  r.axes[0].verdict = "not tested";
  r.gate.exit_code = 4;
  r.gate.rules = {"dim ids.1 (t): not compared"};
  r.outcomes.resize(3);
  r.outcomes[0].property = "parity";
  r.outcomes[1].property = "reload";
  r.outcomes[2].property = "seeds";
  r.outcomes[0].status = verify::Status::passed;
  r.outcomes[1].status = verify::Status::skipped;
  r.outcomes[1].reason = "nothing to reload";
  r.outcomes[2].status = verify::Status::undecided;
  std::string text = junit(r);
  EXPECT_TRUE(has(text, "tests=\"5\" failures=\"0\" errors=\"2\" skipped=\"2\"")) << text;
  EXPECT_TRUE(has(text, "type=\"undecided\">dim ids.1 (t): not compared")) << text;
  EXPECT_TRUE(has(text, "<skipped message=\"nothing to reload\"")) << text;
  EXPECT_TRUE(has(text, "<skipped message=\"1..64 was not tested\"")) << text;
}

TEST(Junit, TwoFindingsOfOneNameAreToldApart) {
  verify::RunReport r = failing();
  r.findings.push_back(r.findings[0]);
  std::string text = junit(r);
  EXPECT_TRUE(has(text, "AS102\" time")) << text;
  EXPECT_TRUE(has(text, "AS102 (2)\"")) << text;
}

}  // namespace
}  // namespace assay::reports
