#include "verify/diagnosis/joint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using Relation = JointRule::Relation;
using Form = JointRule::Form;

const Spec& image_spec() {
  static const Spec spec =
      parse_spec({{"input", "x: f32[h, w]"}, {"dim", "h=2..20"}, {"dim", "w=2..20"}});
  return spec;
}

Case at(int64_t h, int64_t w) {
  Point wanted{{{"h", h}, {"w", w}}, {}, 0};
  return build_case(image_spec(), *nearest_point(image_spec(), wanted));
}

using Fails = std::function<bool(int64_t h, int64_t w)>;

Judge judge_by(const Fails& fails) {
  return [fails](const Case& c) {
    Judgement out;
    bool wrong = fails(c.point.sizes.at("h"), c.point.sizes.at("w"));
    out.verdict = wrong ? Judgement::Verdict::violated : Judgement::Verdict::holds;
    return out;
  };
}

std::vector<JudgedSizes> judged_at(const Fails& fails,
                                   const std::vector<std::pair<int64_t, int64_t>>& sizes) {
  std::vector<JudgedSizes> out;
  for (auto [h, w] : sizes) out.push_back({{{"h", h}, {"w", w}}, fails(h, w)});
  return out;
}

const std::vector<std::pair<int64_t, int64_t>> probes{{2, 3},  {3, 3},   {20, 3}, {2, 20},
                                                      {4, 9},  {11, 6},  {9, 9},  {15, 15},
                                                      {20, 2}, {12, 12}, {3, 18}, {20, 20}};

std::string rule_text(const Fails& fails) {
  auto rule = measure_joint(image_spec(), at(4, 5), judged_at(fails, probes), judge_by(fails));
  return rule ? rule->text() : "";
}

TEST(Joint, NamesTheConditionThatSizesFulfilTogether) {
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h * w > 64; }), "h*w > 64");
  // No two sizes make 82 or 83.
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h * w > 81; }),
            "h*w >= 84, not where it is 81 or less");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h + w > 21; }), "h + w > 21");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h > w; }), "h > w");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h != w; }), "h is not w");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h * w % 3 != 0; }),
            "h*w is no multiple of 3");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h > 10 || w > 10; }), "max(h, w) > 10");
  EXPECT_EQ(rule_text([](int64_t h, int64_t) { return h > 10; }), "h > 10");
}

TEST(Joint, SaysNothingWhereNoConditionFits) {
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return (h * 7 + w * 11) % 5 < 2; }), "");
  EXPECT_EQ(rule_text([](int64_t h, int64_t w) { return h > 10 && w % 2 == 0; }), "");
}

TEST(Joint, TwoFailuresAreNoRule) {
  Fails fails = [](int64_t h, int64_t w) { return h * w > 64; };
  auto few = judged_at(fails, {{20, 20}, {15, 15}, {2, 3}, {3, 3}, {4, 4}});
  EXPECT_FALSE(measure_joint(image_spec(), at(4, 5), few, judge_by(fails)));
}

TEST(Joint, ABoundaryAlongOneLetterIsContradictedByWhatLiesElsewhere) {
  Boundary b;
  b.axis = {"dim", "x", 0, "h"};
  b.regions = {{Boundary::Region::Verdict::right, {{2, 12}}, {}, ""},
               {Boundary::Region::Verdict::wrong, {{13, 20}}, {}, "wrong values"}};
  EXPECT_FALSE(contradicts(b, {{{"h", 5}, {"w", 5}}, false}));
  EXPECT_TRUE(contradicts(b, {{{"h", 11}, {"w", 6}}, true}));
  EXPECT_TRUE(contradicts(b, {{{"h", 13}, {"w", 2}}, false}));
  EXPECT_FALSE(contradicts(b, {{{"h", 40}, {"w", 2}}, true}));
}

// Whatever it says agrees with every judgement that it was made from, and with fresh ones but for
// the gap between the nearest sizes that were seen.
RC_GTEST_PROP(Joint, ARuleAgreesWithWhatWasJudged, ()) {
  int64_t limit = *rc::gen::inRange<int64_t>(8, 300);
  bool product = *rc::gen::arbitrary<bool>();
  Fails fails = [&](int64_t h, int64_t w) { return product ? h * w > limit : h + w > limit % 38; };
  std::vector<JudgedSizes> judged = judged_at(fails, probes);
  for (const JointRule& rule : joint_rules(judged, {"h", "w"})) {
    for (const JudgedSizes& j : judged) RC_ASSERT(rule.fails(j.sizes) == std::optional(j.fails));
  }
  auto rule = measure_joint(image_spec(), at(4, 5), judged, judge_by(fails));
  if (!rule) return;
  int wrong = 0;
  for (int64_t h = 2; h <= 20; ++h) {
    for (int64_t w = 2; w <= 20; ++w) {
      auto says = rule->fails({{"h", h}, {"w", w}});
      if (says && *says != fails(h, w)) ++wrong;
    }
  }
  RC_ASSERT(wrong == 0);
}

}  // namespace
}  // namespace assay::verify::diagnosis
