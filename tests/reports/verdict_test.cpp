#include "reports/verdict.h"

#include <gtest/gtest.h>

#include "tests/reports/sample_report.h"
#include "verify/findings/gate.h"

namespace assay::reports {
namespace {

verify::AxisReport axis(const std::string& kind, const std::string& exercised,
                        const std::string& verdict) {
  verify::AxisReport out;
  out.axis.kind = kind;
  out.exercised = exercised;
  out.verdict = verdict;
  return out;
}

TEST(Verdict, OfAFailureSaysWhereItIsRightAndWrong) {
  EXPECT_EQ(verdict_sentence(sample_report()),
            "model.py:Net<script>alert(1)</script> does not agree with host: PyTorch (1 finding): "
            "right only at t = 7; error at t in 2..6, 8..64.");
}

TEST(Verdict, TellsEachBoundaryOnceAndThreeAtMost) {
  verify::RunReport r = sample_report();
  for (const char* kind : {"mode", "mode", "device", "layout"}) {
    verify::Finding f;
    f.axis.kind = kind;
    r.findings.push_back(f);
  }
  EXPECT_NE(
      verdict_sentence(r).find("(5 findings): right only at t = 7; error at t in 2..6, 8..64; "
                               "fails by mode; fails by device; and 1 more."),
      std::string::npos)
      << verdict_sentence(r);
}

TEST(Verdict, OfAPassSaysWhatWasCompared) {
  verify::RunReport r;
  r.model.name = "model.pt";
  r.reference = "recording: calls.rec";
  r.gate.passed = true;
  r.totals.valid = 12;
  r.axes = {axis("mode", "eval", "not varied"), axis("layout", "contiguous, strided", "right"),
            axis("device", "", "not tested")};
  EXPECT_EQ(
      verdict_sentence(r),
      "model.pt agreed with recording: calls.rec in all 12 cases compared: layout contiguous, "
      "strided.");
  EXPECT_EQ(fixed_scope(r), "mode eval");
  EXPECT_EQ(varied_scope(r), "layout contiguous, strided");
}

TEST(Verdict, TellsHowManyPassingCasesPytorchRan) {
  verify::RunReport r;
  EXPECT_EQ(in_pytorch_text(r), "");
  r.in_pytorch = {"PyTorch 1.13.1", 60, 12, ""};
  EXPECT_EQ(in_pytorch_text(r), "12 of 60 passing cases also run by PyTorch 1.13.1: all agree");
  r.in_pytorch = {"PyTorch 1.13.1", 60, 0, "cannot load it"};
  EXPECT_EQ(in_pytorch_text(r),
            "0 of 60 passing cases also run by PyTorch 1.13.1; it did not run all that it was "
            "asked to: cannot load it");
}

TEST(Verdict, OfNothingComparedClaimsNothing) {
  verify::RunReport r;
  r.model.name = "model.pt";
  r.gate.exit_code = verify::exit_undecided;
  r.gate.rules = {"parity is undecided: both sides reject every case"};
  EXPECT_EQ(verdict_sentence(r),
            "Nothing can be said of model.pt: parity is undecided: both sides reject every case.");
  r.gate.exit_code = verify::exit_internal;
  r.gate.rules = {"the host answered nonsense"};
  EXPECT_EQ(verdict_sentence(r),
            "The check of model.pt failed itself: the host answered nonsense.");
}

}  // namespace
}  // namespace assay::reports
