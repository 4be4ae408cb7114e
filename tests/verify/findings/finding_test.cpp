#include "verify/findings/finding.h"

#include <gtest/gtest.h>

namespace assay::verify {
namespace {

TEST(Finding, BoundaryTextNamesEveryRegion) {
  using Region = Boundary::Region;
  Boundary boundary;
  boundary.axis = {"dim", "ids", 1, "t"};
  boundary.regions = {{Region::Verdict::right, {{7, 7}}, {}, ""},
                      {Region::Verdict::wrong, {{1, 1}}, {}, "wrong shape"},
                      {Region::Verdict::error, {{2, 6}, {8, 64}}, {}, ""}};
  EXPECT_EQ(boundary.axis.text(), "dim ids.1 (t)");
  EXPECT_EQ(
      boundary.text(),
      "right only at t = 7; wrong shape without an error at t = 1; error at t in 2..6, 8..64");
}

TEST(Finding, ABoundaryThatOtherSizesChangeSaysWhich) {
  using Region = Boundary::Region;
  Boundary boundary;
  boundary.axis = {"dim", "x", 2, "h"};
  boundary.regions = {{Region::Verdict::right, {{8, 8}}, {}, ""},
                      {Region::Verdict::wrong, {{9, 16}}, {}, "wrong values"}};
  boundary.held = {{"b", 1}, {"w", 6}};
  boundary.otherwise_elsewhere = true;
  EXPECT_EQ(boundary.text(),
            "with b = 1, w = 6: right only at h = 8; wrong values without an error at h in 9..16; "
            "otherwise at other b or w");
}

TEST(Finding, ReachSaysWhatTheRepairCuresAndBreaks) {
  EXPECT_EQ(Reach{}.text(), "");
  EXPECT_EQ((Reach{1, 1, 0, 0}.text()), "cures 1 of 1 failing case");
  Reach reach{74, 74, 0, 26};
  EXPECT_EQ(reach.text(), "cures 74 of 74 failing cases, breaks none of 26 that hold");
  EXPECT_TRUE(reach.complete());
  reach.add({3, 4, 2, 26});
  EXPECT_EQ(reach.text(), "cures 77 of 78 failing cases, breaks 2 of 26 that hold");
  EXPECT_FALSE(reach.complete());
}

TEST(Finding, TheFingerprintSurvivesUnrelatedEdits) {
  Finding f;
  f.class_id = "AS102";
  f.visibility = Visibility::silent;
  f.axis = {"dim", "ids", 1, "t"};
  f.cause.op = "aten::arange";
  f.cause.scope = "model.layers.3";
  f.cause.file = "/models/encoder.py";
  f.cause.line = 41;
  f.cause.role = "end";
  Finding moved = f;
  moved.cause.file = "/tmp/encoder.py";
  moved.cause.line = 60;
  moved.cause.literal = "9";
  moved.cause.scope = "model.layers.12";
  EXPECT_EQ(fingerprint(f), fingerprint(moved));
  moved.cause.role = "start";
  EXPECT_NE(fingerprint(f), fingerprint(moved));
}

TEST(Finding, EveryClassHasARow) {
  EXPECT_EQ(failure_classes().size(), 25u);  // AS101..AS121 and AS901..AS904
  EXPECT_EQ(find_failure_class("AS102")->name, "pinned size");
  EXPECT_EQ(find_failure_class("AS999"), nullptr);
}

}  // namespace
}  // namespace assay::verify
