#include "verify/diagnosis/axis.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

const Spec spec = parse_spec({{"input", "x: f32[b, t]"},
                              {"dim", "b=1..9"},
                              {"dim", "t=1..9"},
                              {"modes", "eval,train"},
                              {"values", "normal"}});

Case at(int64_t b, int64_t t, const std::string& mode = "eval", uint64_t seed = 0) {
  Point point{{{"b", b}, {"t", t}}, {{"mode", mode}}, seed};
  return build_case(spec, *nearest_point(spec, point));
}

/// Judges by a predicate: true fails.
Judge fails_where(bool (*fails)(const Case&)) {
  return [fails](const Case& c) {
    Judgement out;
    out.verdict = fails(c) ? Judgement::Verdict::violated : Judgement::Verdict::holds;
    return out;
  };
}

int64_t b_of(const Case& c) { return c.point.sizes.at("b"); }
int64_t t_of(const Case& c) { return c.point.sizes.at("t"); }

TEST(DecideAxis, IsTheFeatureThatFailsAlone) {
  auto judge = fails_where([](const Case& c) { return t_of(c) != 7; });
  DecidingAxis found = decide_axis(spec, at(3, 2), at(2, 7), judge);
  EXPECT_EQ(found.axis.text(), "dim x.1 (t)");
  ASSERT_TRUE(found.nearest_failure);
  EXPECT_EQ(*found.nearest_failure, at(2, 2));
  EXPECT_TRUE(found.equally.empty());
}

TEST(DecideAxis, AModeExplainsMoreThanASize) {
  auto judge = fails_where([](const Case& c) { return c.setting("mode") == "train"; });
  EXPECT_EQ(decide_axis(spec, at(3, 2, "train"), at(2, 7), judge).axis.text(), "mode");
}

TEST(DecideAxis, ElseTheOneThatCuresWhenItIsPutBack) {
  // Needs both sizes to be large; putting either back cures, changing one alone does not fail.
  auto judge = fails_where([](const Case& c) { return b_of(c) > 4 && t_of(c) > 4; });
  DecidingAxis found = decide_axis(spec, at(9, 9), at(1, 1), judge);
  EXPECT_EQ(found.axis.text(), "dim x.0 (b)");
  EXPECT_FALSE(found.nearest_failure);
}

TEST(DecideAxis, ValuesWhereNothingElseDiffers) {
  auto judge = fails_where([](const Case& c) { return c.point.seed == 5; });
  EXPECT_EQ(decide_axis(spec, at(2, 2, "eval", 5), at(2, 2), judge).axis.text(), "value");
}

TEST(DecideAxis, ValuesThatAreRareWhereTheFailingCaseHoldsByOtherOnes) {
  // The more elements, the more drawings hold such a value.
  auto rare = fails_where([](const Case& c) { return c.point.seed % 64 < uint64_t(b_of(c)); });
  DecidingAxis found = decide_axis(spec, at(9, 2, "eval", 7), at(2, 2, "eval", 40), rare);
  EXPECT_EQ(found.axis.text(), "value");
  ASSERT_TRUE(found.nearest_failure);
  EXPECT_EQ(*found.nearest_failure, at(2, 2, "eval", 64));
  // Values that hide what a size does, and do no harm at another size.
  auto hidden = fails_where([](const Case& c) { return b_of(c) != 2 && c.point.seed % 4 != 0; });
  EXPECT_EQ(decide_axis(spec, at(9, 2, "eval", 1), at(2, 2), hidden).axis.text(), "dim x.0 (b)");
}

TEST(DecideAxis, TheNumberOfDimensionsOfAPackIsARank) {
  Spec packed = parse_spec({{"input", "x: f32[*rest, 3]"}, {"ranks", "rest=0..2"}});
  auto with = [&](int64_t rank) {
    return build_case(packed, *nearest_point(packed, Point{{{"*rest", rank}}, {}, 0}));
  };
  auto judge = fails_where([](const Case& c) { return c.point.sizes.at("*rest") != 1; });
  FeatureAxis axis = decide_axis(packed, with(0), with(1), judge).axis;
  EXPECT_EQ(axis.kind, "rank");
  EXPECT_EQ(axis.text(), "rank x (*rest)");
}

TEST(DecideAxis, WithoutARightCaseTheFirstThatIsNotPlain) {
  auto judge = fails_where([](const Case&) { return true; });
  EXPECT_EQ(decide_axis(spec, at(2, 2, "train"), std::nullopt, judge).axis.text(), "mode");
  EXPECT_EQ(decide_axis(spec, at(2, 2), std::nullopt, judge).axis.text(), "dim x.0 (b)");
  EXPECT_EQ(decide_axis(spec, at(1, 2), std::nullopt, judge).axis.text(), "dim x.1 (t)");
  EXPECT_EQ(decide_axis(spec, at(1, 1), std::nullopt, judge).axis.text(), "value");
}

TEST(DecideAxis, OfARecordingIsWhatItsVerdictsAreAFunctionOf) {
  // b comes first in every order, but right and wrong both occur at b = 3.
  auto judge = fails_where([](const Case& c) { return t_of(c) != 7; });
  std::vector<Case> only{at(3, 7), at(3, 2), at(5, 4), at(6, 7)};
  DecidingAxis found = decide_axis(spec, only[2], only[0], judge, &only);
  EXPECT_EQ(found.axis.text(), "dim x.1 (t)");
  EXPECT_TRUE(found.equally.empty());
}

TEST(DecideAxis, OfARecordingIsAmbiguousWhereSizesMovedTogether) {
  auto judge = fails_where([](const Case& c) { return t_of(c) != 7; });
  std::vector<Case> only{at(7, 7), at(5, 5), at(2, 2)};
  DecidingAxis found = decide_axis(spec, only[1], only[0], judge, &only);
  EXPECT_EQ(found.axis.text(), "dim x.0 (b)");
  ASSERT_EQ(found.equally.size(), 1u);
  EXPECT_EQ(found.equally[0].text(), "dim x.1 (t)");
}

TEST(DecideAxis, OfARecordingPrefersPairsThatDifferInNothingElse) {
  // Both sizes decide; the recording holds a pair that differs in t alone, of unlike seeds.
  auto judge = fails_where([](const Case& c) { return t_of(c) + b_of(c) > 10; });
  std::vector<Case> only{at(5, 3, "eval", 1), at(5, 8, "eval", 2), at(9, 8, "eval", 3),
                         at(1, 8, "eval", 4), at(9, 1, "eval", 5), at(5, 1, "eval", 6)};
  DecidingAxis found = decide_axis(spec, only[2], only[0], judge, &only);
  EXPECT_EQ(found.axis.kind, "dim");
  EXPECT_EQ(found.axis.letter, "t");
}

}  // namespace
}  // namespace assay::verify::diagnosis
