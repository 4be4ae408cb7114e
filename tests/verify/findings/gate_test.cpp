#include "verify/findings/gate.h"

#include <gtest/gtest.h>

namespace assay::verify {
namespace {

RunReport report_with(std::vector<Status> statuses, std::vector<Finding> findings = {}) {
  RunReport report;
  for (Status status : statuses) {
    Outcome outcome;
    outcome.property = "parity";
    outcome.status = status;
    outcome.valid = 10;
    report.outcomes.push_back(outcome);
  }
  report.findings = std::move(findings);
  return report;
}

Finding finding(std::string class_id, Visibility visibility) {
  Finding out;
  out.class_id = std::move(class_id);
  out.visibility = visibility;
  out.property = "parity";
  return out;
}

int code(const RunReport& report, const GatePolicy& policy = {}) {
  return decide(policy, report).exit_code;
}

TEST(Gate, GoesByHowAnyOfAFindingsCasesShow) {
  GatePolicy silent;
  silent.fail_on = {Visibility::silent};
  Finding both = finding("AS102", Visibility::loud);
  EXPECT_FALSE(fails(silent, both));
  both.elsewhere = {Visibility::silent};
  EXPECT_TRUE(fails(silent, both));
  EXPECT_EQ(visibility_text(both), "loud, elsewhere silent");
  GateResult gate = decide(silent, report_with({Status::failed}, {both}));
  ASSERT_EQ(gate.rules.size(), 1u);
  EXPECT_NE(gate.rules[0].find("(loud, elsewhere silent)"), std::string::npos);
}

TEST(Gate, PriorityIsInternalThenFailedThenUndecided) {
  EXPECT_EQ(code(report_with({Status::passed})), 0);
  EXPECT_EQ(code(report_with({Status::passed, Status::undecided})), 4);
  EXPECT_EQ(code(report_with({Status::undecided, Status::failed})), 1);
  EXPECT_EQ(code(report_with({Status::errored, Status::failed, Status::undecided})), 3);
  EXPECT_EQ(code(report_with({})), 5);
  EXPECT_EQ(code(report_with({Status::skipped})), 4);
  EXPECT_EQ(code(report_with({Status::flaky})), 1);
}

TEST(Gate, WrongUseIsNoPassAndIsToldWhateverDecides) {
  GatePolicy policy;
  policy.misused = [] { return std::vector<std::string>{"--atol foo"}; };
  EXPECT_EQ(code(report_with({Status::passed}), policy), 2);
  EXPECT_EQ(code(report_with({Status::undecided}), policy), 2);
  EXPECT_EQ(code(report_with({Status::errored}), policy), 3);
  GateResult failed = decide(policy, report_with({Status::failed}));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.rules.back(), "--atol foo");
  policy.misused = [] { return std::vector<std::string>{}; };
  EXPECT_EQ(code(report_with({Status::passed}), policy), 0);
}

TEST(Gate, AcceptedFaultsPassAndAreToldAndThoseThatAreGoneFail) {
  RunReport report = report_with({Status::failed}, {finding("AS102", Visibility::silent)});
  report.findings[0].id = "F1";
  report.findings[0].state = FindingState::xfail;
  report.findings[0].state_reason = "accepted: why";
  GateResult result = decide({}, report);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.failing.empty());
  ASSERT_EQ(result.not_gated.size(), 1u);
  EXPECT_NE(result.not_gated[0].find("accepted: why"), std::string::npos);
  report.findings[0].state = FindingState::xpass;
  report.findings[0].visibility = Visibility::none;
  result = decide({}, report);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.failing, std::vector<std::string>{"F1"});
  EXPECT_TRUE(result.not_gated.empty());
}

TEST(Gate, SaysWhichFaultsItWasToldToLetPass) {
  RunReport report = report_with(
      {Status::failed}, {finding("AS102", Visibility::silent), finding("AS103", Visibility::loud),
                         finding("AS117", Visibility::silent)});
  report.findings[0].id = "F1";
  report.findings[1].id = "F2";
  EXPECT_TRUE(decide({}, report).not_gated.empty());
  EXPECT_EQ(decide({}, report).failing, (std::vector<std::string>{"F1", "F2"}));
  GatePolicy only_branches;
  only_branches.fail_classes = {"AS103"};
  GateResult result = decide(only_branches, report);
  EXPECT_EQ(result.exit_code, 1);
  ASSERT_EQ(result.not_gated.size(), 1u);  // AS117 is a note by itself.
  EXPECT_NE(result.not_gated[0].find("F1: AS102"), std::string::npos);
  EXPECT_NE(result.not_gated[0].find("--fail-class leaves it out"), std::string::npos);
  EXPECT_EQ(result.failing, std::vector<std::string>{"F2"});
  GatePolicy only_silent;
  only_silent.fail_on = {Visibility::silent};
  result = decide(only_silent, report);
  ASSERT_EQ(result.not_gated.size(), 1u);
  EXPECT_NE(result.not_gated[0].find("F2: AS103  (loud): --fail-on"), std::string::npos)
      << result.not_gated[0];
}

TEST(Gate, CasesThatWentUncomparedLeaveItOpen) {
  RunReport report = report_with({Status::passed});
  report.totals.cases = 10;
  report.totals.uncompared = 2;
  report.uncompared["the reference died"] = 2;
  GateResult open = decide({}, report);
  EXPECT_EQ(open.exit_code, exit_undecided);
  EXPECT_EQ(open.rules[0], "2 of 10 cases were not compared: the reference died");
  GatePolicy policy;
  policy.allow_uncompared = 2;
  EXPECT_EQ(code(report, policy), 0);
}

TEST(Gate, WhatSpeaksAgainstAnArchiveAloneLeavesItOpen) {
  RunReport report = report_with({Status::passed});
  report.alone.is = true;
  EXPECT_EQ(code(report), 0);
  report.alone.doubts = {"by its own conditions the trace is valid where n <= 2"};
  GateResult gate = decide({}, report);
  EXPECT_EQ(gate.exit_code, 4);
  EXPECT_EQ(gate.rules, report.alone.doubts);
  report.outcomes[0].status = Status::failed;  // What is known leads.
  EXPECT_EQ(code(report), 1);
}

TEST(Gate, WhatIsDeclaredAndNeverComparedLeavesItOpen) {
  RunReport report = report_with({Status::passed});
  AxisReport axis;
  axis.axis.kind = "mode";
  axis.words = {{"eval", 9, ""}, {"train", 0, "both sides reject it"}};
  report.axes = {axis};
  GateResult open = decide({}, report);
  EXPECT_EQ(open.exit_code, exit_undecided);
  EXPECT_EQ(open.rules[0], "mode train was declared and never compared: both sides reject it");
  report.axes[0].words[1].comparisons = 3;
  EXPECT_EQ(code(report), 0);
  GatePolicy policy;
  policy.min_valid = 5;
  EXPECT_EQ(code(report, policy), exit_undecided);
}

TEST(Gate, ALetterOfOneSizeWhenTheTimeWasOverLeavesItOpen) {
  for (const char* declared : {"64..96", "64,96", "64"}) {
    for (int64_t sizes : {1, 2}) {
      for (const char* stopped_by : {"time", "examples"}) {
        RunReport r = report_with({Status::passed});
        AxisReport axis;
        axis.axis.kind = "dim";
        axis.axis.letter = "h";
        axis.declared = declared;
        axis.exercised = sizes == 1 ? "64" : "64, 96";
        axis.comparisons = axis.sizes_tried = sizes;
        r.axes.push_back(axis);
        r.totals.stopped_by = stopped_by;
        r.totals.cases = 7;
        bool open = sizes == 1 && std::string(declared) != "64" && stopped_by[0] == 't';
        GateResult gate = decide({}, r);
        EXPECT_EQ(gate.exit_code, open ? 4 : 0) << declared << " " << sizes << " " << stopped_by;
        if (open) {
          EXPECT_EQ(gate.rules[0], "dim (h) of " + std::string(declared) +
                                       " was compared at 64 alone when the time was over after 7 "
                                       "cases: give a larger --time, or smaller sizes (--dim)");
        }
      }
    }
  }
}

TEST(Gate, AllLettersOfOneSizeAreOneSentence) {
  RunReport r = report_with({Status::passed});
  for (const char* letter : {"h", "w"}) {
    AxisReport axis;
    axis.axis.kind = "dim";
    axis.axis.letter = letter;
    axis.declared = "64..96";
    axis.exercised = "64";
    axis.comparisons = axis.sizes_tried = 1;
    r.axes.push_back(axis);
  }
  r.totals.stopped_by = "time";
  r.totals.cases = 1;
  GateResult gate = decide({}, r);
  ASSERT_EQ(gate.rules.size(), 1u);
  std::string w = r.axes[1].axis.text();
  EXPECT_NE(gate.rules[0].find("64 alone, " + w +
                               " of 64..96 at 64 alone when the time was over "
                               "after 1 case: "),
            std::string::npos)
      << gate.rules[0];
}

TEST(Gate, AnAskedForPropertyThatIsSkippedLeavesItOpen) {
  RunReport report = report_with({Status::passed, Status::skipped});
  report.outcomes[1].property = "device_portable";
  EXPECT_EQ(code(report), 0);
  report.spec.properties = {"parity", "device_portable"};
  EXPECT_EQ(code(report), exit_undecided);
}

TEST(Gate, VisibilityAndClassDecideWhatFails) {
  auto with = [](Finding f) { return report_with({Status::failed}, {std::move(f)}); };
  EXPECT_EQ(code(with(finding("AS102", Visibility::silent))), 1);
  EXPECT_EQ(code(with(finding("AS114", Visibility::lenient))), 1);
  EXPECT_EQ(code(with(finding("AS102", Visibility::latent))), 0);
  EXPECT_EQ(code(with(finding("AS901", Visibility::silent))), 0);
  GatePolicy loud;
  loud.fail_on = {Visibility::loud};
  EXPECT_EQ(code(with(finding("AS102", Visibility::silent)), loud), 0);
  GatePolicy branches;
  branches.fail_classes = {"AS103"};
  EXPECT_EQ(code(with(finding("AS102", Visibility::silent)), branches), 0);
  EXPECT_EQ(code(with(finding("AS103", Visibility::silent)), branches), 1);
}

TEST(Gate, ExpectedFailuresPassAndStaleOnesFail) {
  Finding f = finding("AS102", Visibility::silent);
  f.state = FindingState::xfail;
  EXPECT_EQ(code(report_with({Status::failed}, {f})), 0);
  f.state = FindingState::xpass;
  EXPECT_EQ(code(report_with({Status::passed}, {f})), 1);
}

TEST(Gate, TooFewComparisonsAreUndecided) {
  RunReport report = report_with({Status::passed});
  report.outcomes[0].valid = 0;
  EXPECT_EQ(code(report), 4);
}

}  // namespace
}  // namespace assay::verify
