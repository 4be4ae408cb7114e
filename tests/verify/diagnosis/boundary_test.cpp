#include "verify/diagnosis/boundary.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "engine/base/text.h"
#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using Verdict = Boundary::Region::Verdict;

FeatureAxis dim(const std::string& letter) { return {"dim", "x", 0, letter}; }

class BoundaryTest : public ::testing::Test {
 protected:
  Case at(int64_t t, uint64_t seed = 0) const {
    return build_case(spec_, *nearest_point(spec_, Point{{{"t", t}}, {}, seed}));
  }
  /// A judgement as parity makes it of what subject and reference give.
  static Judgement judged(const Observation& subject, const Observation& reference) {
    Judgement out;
    out.comparison = compare(subject, reference, {});
    out.verdict =
        out.comparison.agrees() ? Judgement::Verdict::holds : Judgement::Verdict::violated;
    bool both_raise = out.comparison.verdict == Comparison::Verdict::rejected;
    if (both_raise) out.verdict = Judgement::Verdict::discarded;
    return out;
  }
  /// Right at 7, another shape at 1, an error elsewhere.
  Judgement pinned(const Case& c) {
    ++runs_;
    int64_t t = c.point.sizes.at("t");
    if (t != 7 && t != 1) return judged(testing::raised("no"), testing::gave({t}));
    return judged(testing::gave({7}), testing::gave({t}));
  }

  Spec spec_ = parse_spec({{"input", "x: f32[t, 3]"}, {"dim", "t=1..20"}, {"modes", "eval,train"}});
  Judge pinned_ = [this](const Case& c) { return pinned(c); };
  int runs_ = 0;
};

TEST_F(BoundaryTest, ASmallDomainIsMeasuredWhole) {
  Boundary b = measure_boundary(spec_, at(7), dim("t"), pinned_);
  EXPECT_TRUE(b.exact);
  EXPECT_EQ(b.measured, 20);
  EXPECT_EQ(b.possible, 20);
  EXPECT_EQ(runs_, 24);  // What is right is asked with further drawings of values.
  EXPECT_EQ(
      b.text(),
      "right only at t = 7; wrong shape without an error at t = 1; error at t in 2..6, 8..20");
}

TEST_F(BoundaryTest, ALargeDomainIsBisectedAndSaysSo) {
  spec_ = parse_spec({{"input", "x: f32[t, 3]"}, {"dim", "t=1..100000"}});
  std::set<int64_t> seen;
  auto up_to = [&](const Case& c) {
    int64_t t = c.point.sizes.at("t");
    seen.insert(t);
    return judged(t <= 4321 ? testing::gave({1}) : testing::raised("too long"), testing::gave({1}));
  };
  Boundary b = measure_boundary(spec_, at(16), dim("t"), up_to);
  EXPECT_FALSE(b.exact);
  auto sizes = static_cast<int64_t>(seen.size());
  EXPECT_LE(sizes, 40);
  EXPECT_EQ(b.measured, sizes);
  EXPECT_EQ(b.possible, 100000);
  ASSERT_EQ(b.regions.size(), 2u);
  EXPECT_EQ(b.regions[0].sizes, (std::vector<std::pair<int64_t, int64_t>>{{1, 4321}}));
  EXPECT_EQ(b.regions[1].sizes, (std::vector<std::pair<int64_t, int64_t>>{{4322, 100000}}));
  EXPECT_NE(b.text().find(fmt::format("{} of 100000 sizes measured", sizes)), std::string::npos);
}

TEST_F(BoundaryTest, ASizeIsNotRightWhereFurtherValuesFail) {
  // As of values of which one in so many elements is met: the first drawing has it from 12 on.
  auto rare = [&](const Case& c) {
    int64_t from = c.point.seed == at(7).point.seed ? 12 : 5;
    bool right = c.point.sizes.at("t") < from;
    return judged(testing::gave({1}, right ? 1.0F : 2.0F), testing::gave({1}));
  };
  EXPECT_EQ(measure_boundary(spec_, at(7), dim("t"), rare).text(),
            "right only at t in 1..4; wrong values without an error at t in 5..20");
}

TEST_F(BoundaryTest, StepsOfTheDomainAreNeighbours) {
  spec_ = parse_spec({{"input", "x: f32[t, 3]"}, {"dim", "t=8..64:8"}});
  auto from_32 = [&](const Case& c) {
    bool right = c.point.sizes.at("t") >= 32;
    return judged(testing::gave({1}, right ? 1.0F : 2.0F), testing::gave({1}));
  };
  EXPECT_EQ(measure_boundary(spec_, at(8), dim("t"), from_32).text(),
            "right only at t in 32..64; wrong values without an error at t in 8..24");
}

TEST_F(BoundaryTest, WordsAreMeasuredOneByOne) {
  auto train_fails = [&](const Case& c) {
    bool train = c.setting("mode") == "train";
    return judged(testing::gave({1}, train ? 2.0F : 1.0F), testing::gave({1}));
  };
  FeatureAxis mode;
  mode.kind = "mode";
  EXPECT_EQ(measure_boundary(spec_, at(7), mode, train_fails).text(),
            "right only at mode = eval; wrong values without an error at mode = train");
}

TEST_F(BoundaryTest, ValuesAreDrawnAndCounted) {
  auto odd_fails = [&](const Case& c) {
    bool odd = c.point.seed % 4 == 1;
    return judged(testing::gave({1}, odd ? 2.0F : 1.0F), testing::gave({1}));
  };
  FeatureAxis value;
  value.kind = "value";
  EXPECT_EQ(measure_boundary(spec_, at(7), value, odd_fails).text(),
            "right only at 12 of 16 drawings; wrong values without an error at 4 of 16 drawings");
}

TEST_F(BoundaryTest, GivenArgumentsStandForTheirPlaceInTheSpec) {
  Case given = given_case(materialize(at(7, 5)));
  given.point.sizes["t"] = 7;
  EXPECT_EQ(measure_boundary(spec_, given, dim("t"), pinned_).measured, 20);
  FeatureAxis value;
  value.kind = "value";
  EXPECT_EQ(measure_boundary(spec_, given, value, pinned_).text(),
            "right at the example and 16 of 16 drawings");
  auto only_given = [&](const Case& c) {
    return judged(testing::gave({1}, c.given ? 1.0F : 2.0F), testing::gave({1}));
  };
  EXPECT_EQ(measure_boundary(spec_, given, value, only_given).text(),
            "right only at the example; wrong values without an error at 16 of 16 drawings");
}

TEST_F(BoundaryTest, TheNumberOfDimensionsIsMeasuredAsASize) {
  spec_ = parse_spec({{"input", "x: f32[*rest, 3]"}, {"ranks", "rest=0..3"}});
  auto up_to_one = [&](const Case& c) {
    bool right = c.point.sizes.at("*rest") <= 1;
    return judged(testing::gave({1}, right ? 1.0F : 2.0F), testing::gave({1}));
  };
  Case base = build_case(spec_, *nearest_point(spec_, Point{{{"*rest", 1}}, {}, 0}));
  FeatureAxis rank{"rank", "x", -1, "*rest"};
  EXPECT_EQ(rank.text(), "rank x (*rest)");
  EXPECT_EQ(measure_boundary(spec_, base, rank, up_to_one).text(),
            "right only at *rest in 0..1; wrong values without an error at *rest in 2..3");
}

TEST_F(BoundaryTest, OnlyRecordedCasesAreMeasuredWhereThereAreNoOthers) {
  std::vector<Case> only{at(7, 1), at(1, 2), at(12, 3), at(12, 4)};
  Boundary b = measure_boundary(spec_, only[0], dim("t"), pinned_, &only);
  EXPECT_EQ(runs_, 3);
  EXPECT_EQ(b.measured, 3);
  EXPECT_EQ(b.possible, 20);
  EXPECT_EQ(b.text(),
            "right only at t = 7; wrong shape without an error at t = 1; error at t = 12; 3 of 20 "
            "sizes measured");
}

TEST_F(BoundaryTest, AmongRecordedCasesThoseThatDifferInNothingElseComeFirst) {
  spec_ = parse_spec({{"input", "x: f32[t, s]"}, {"dim", "t=1..9"}, {"dim", "s=1..9"}});
  auto case_of = [&](int64_t t, int64_t s) {
    return build_case(spec_, *nearest_point(spec_, Point{{{"t", t}, {"s", s}}, {}, 0}));
  };
  std::vector<Case> only{case_of(5, 5), case_of(6, 4), case_of(6, 5)};
  auto needs_five = [&](const Case& c) {
    bool right = c.point.sizes.at("s") == 5;
    return judged(testing::gave({1}, right ? 1.0F : 2.0F), testing::gave({1}));
  };
  EXPECT_EQ(measure_boundary(spec_, only[0], dim("t"), needs_five, &only).text(),
            "right at t in 5..6; 2 of 9 sizes measured");
}

TEST(RegionOf, FollowsVerdictAndVisibility) {
  Judgement j;
  j.verdict = Judgement::Verdict::holds;
  EXPECT_EQ(region_of(j), Verdict::right);
  j.verdict = Judgement::Verdict::discarded;
  EXPECT_EQ(region_of(j), Verdict::rejected);
  j.verdict = Judgement::Verdict::not_tested;
  EXPECT_EQ(region_of(j), Verdict::untested);
  j.verdict = Judgement::Verdict::violated;
  j.comparison = compare(testing::gave({1}), testing::raised("no"), {});
  EXPECT_EQ(region_of(j), Verdict::lenient);
  j.comparison = compare(testing::raised("no"), testing::gave({1}), {});
  EXPECT_EQ(region_of(j), Verdict::error);
}

}  // namespace
}  // namespace assay::verify
