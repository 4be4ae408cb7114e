#include "verify/compare/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "verify/compare/compare.h"

namespace assay::verify {
namespace {

core::Tensor row(const std::vector<float>& items) {
  core::Tensor out =
      core::Tensor::empty(core::Dims{static_cast<int64_t>(items.size())}, core::DType::float32);
  std::copy(items.begin(), items.end(), out.data<float>());
  return out;
}

Observation gave(core::Value outputs) {
  Observation run;
  run.ending = Ending::returned;
  run.outputs = std::move(outputs);
  return run;
}

TEST(Spread, IsTheLargestDistanceOverTheRuns) {
  Spread spread;
  Observation plain = gave(core::make_tuple({row({1, 2}), core::Value(5.0)}));
  spread.add(plain, gave(core::make_tuple({row({1.5, 2}), core::Value(5.5)})));
  spread.add(plain, gave(core::make_tuple({row({0.75, 2.25}), core::Value(4.0)})));
  ASSERT_NE(spread.at("output[0]"), nullptr);
  EXPECT_EQ(*spread.at("output[0]"), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(*spread.at("output[1]"), (std::vector<double>{1.0}));
  EXPECT_EQ(spread.at("output[2]"), nullptr);
}

TEST(Spread, KnowsNothingOfRunsThatRaiseOrGiveOtherShapes) {
  Spread spread;
  Observation raised;
  raised.ending = Ending::raised;
  spread.add(gave(row({1})), raised);
  spread.add(gave(row({1})), gave(row({1, 2})));
  EXPECT_EQ(spread.at("output"), nullptr);
}

TEST(Spread, CoversInputsAfterTheCallAndState) {
  Observation plain = gave(row({1})), moved = gave(row({1}));
  plain.args_after = {row({1})};
  moved.args_after = {row({3})};
  plain.state = {{"ema", StateChange::Kind::buffer, false, row({1})}};
  moved.state = {{"ema", StateChange::Kind::buffer, false, row({5})}};
  Spread spread;
  spread.add(plain, moved);
  EXPECT_EQ(*spread.at("args[0]"), std::vector<double>{2});
  EXPECT_EQ(*spread.at("state:ema"), std::vector<double>{4});
}

Comparison with_spread(float subject, float reference, float moved, CompareOptions options = {}) {
  Spread spread;
  Observation plain = gave(row({subject}));
  spread.add(plain, gave(row({moved})));
  options.spread = &spread;
  return compare(plain, gave(row({reference})), options);
}

TEST(Spread, ExplainsDifferencesOfAFewTimesItself) {
  Comparison near = with_spread(1, 1.375, 1.125);  // Three times the spread of 1/8.
  EXPECT_TRUE(near.agrees());
  EXPECT_EQ(near.adjudicated(), 1);
  EXPECT_EQ(near.errors[0].second.mismatched, 0);
  EXPECT_DOUBLE_EQ(near.errors[0].second.adjudicated_difference, 0.375);
  EXPECT_DOUBLE_EQ(near.errors[0].second.adjudicated_spread, 0.125);
  Comparison far = with_spread(1, 2, 1.125);
  EXPECT_EQ(far.verdict, Comparison::Verdict::differ);
  EXPECT_TRUE(far.differences[0].adjudicable);
  EXPECT_EQ(far.adjudicated(), 0);
}

TEST(Spread, WhatIsWithinTheBoundIsNotAdjudicated) {
  Comparison same = with_spread(1, 1, 2);
  EXPECT_TRUE(same.agrees());
  EXPECT_EQ(same.adjudicated(), 0);
}

TEST(Spread, ATolerancesOwnerIsNotOverruled) {
  CompareOptions options;
  options.bounds.atol = {{"*", 0.25}};
  Comparison c = with_spread(1, 1.375, 1.125, options);
  EXPECT_EQ(c.verdict, Comparison::Verdict::differ);
  EXPECT_FALSE(c.differences[0].adjudicable);
}

TEST(Spread, RoundingThatMakesNanExplainsNan) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(with_spread(1, nan, nan).agrees());
  EXPECT_FALSE(with_spread(1, nan, 1.5).agrees());
}

TEST(Spread, AnElementIsHeldToItsOwnSize) {
  // One huge element says nothing of what the others may be.
  Observation a = gave(row({-3e38F, 1})), b = gave(row({-3e38F, 1.5}));
  EXPECT_EQ(compare(a, b).verdict, Comparison::Verdict::differ);
}

}  // namespace
}  // namespace assay::verify
