#include "verify/compare/flow.h"

#include <gtest/gtest.h>

#include <limits>

namespace assay::verify {
namespace {

using Kind = GradientFlow::Kind;
using Cuts = std::vector<std::string>;

constexpr double single = 1.1920928955078125e-7;  // 2^-23

GradientFlow values(std::map<std::string, std::vector<double>> of) {
  GradientFlow flow;
  flow.kind = Kind::values;
  flow.values = std::move(of);
  flow.precision = single;
  return flow;
}

GradientFlow cuts(std::map<std::string, Cuts> of) {
  GradientFlow flow;
  flow.kind = Kind::cuts;
  flow.cuts = std::move(of);
  return flow;
}

/// Where rounding moves the reference by nothing.
FlowComparison compared(const GradientFlow& subject, const GradientFlow& reference) {
  return compare_flows(subject, reference, [&] { return reference; });
}

TEST(Flow, DiffersWhereAGradientIsAnother) {
  GradientFlow model = values({{"args[0]", {0.5, -1}}, {"parameter w", {2}}});
  EXPECT_EQ(compared(model, model).compared, 2);
  EXPECT_TRUE(compared(model, model).differences.empty());
  FlowComparison other = compared(values({{"args[0]", {0.5, -0.75}}, {"parameter w", {2}}}), model);
  ASSERT_EQ(other.differences.size(), 1U);
  EXPECT_EQ(other.differences[0].text(),
            "args[0]: gradients: a gradient of -0.75 instead of a gradient of -1");
}

TEST(Flow, TakesNoGradientForOneOfZeros) {
  GradientFlow none = values({{"args[0]", {}}, {"parameter w", {1}}});
  EXPECT_TRUE(
      compared(values({{"args[0]", {0, 0}}, {"parameter w", {1}}}), none).differences.empty());
  FlowComparison lost = compared(values({{"args[0]", {0, 3}}, {"parameter w", {1}}}), none);
  ASSERT_EQ(lost.differences.size(), 1U);
  EXPECT_EQ(lost.differences[0].reference, "no gradient");
  // Rounding's rest of a sum of large numbers.
  EXPECT_TRUE(
      compared(values({{"args[0]", {0, 1e-7}}, {"parameter w", {1}}}), none).differences.empty());
}

TEST(Flow, LeavesToRoundingWhatRoundingMoves) {
  GradientFlow model = values({{"args[0]", {1}}});
  GradientFlow near = values({{"args[0]", {1 + 1e-5}}}), far = values({{"args[0]", {1.01}}});
  EXPECT_TRUE(compared(near, model).differences.empty());
  EXPECT_EQ(compared(far, model).differences.size(), 1U);
  for (double moved : {1.001, 0.9, std::numeric_limits<double>::quiet_NaN()}) {
    auto nudged = [&] { return values({{"args[0]", {moved}}}); };
    EXPECT_TRUE(compare_flows(far, model, nudged).differences.empty()) << moved;
  }
  // Nothing is known of rounding.
  EXPECT_TRUE(compare_flows(far, model, [] { return GradientFlow(); }).differences.empty());
}

TEST(Flow, ComparesNothingThatIsNoNumber) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double inf = std::numeric_limits<double>::infinity();
  GradientFlow model = values({{"args[0]", {nan, 1}}, {"parameter w", {inf}}});
  FlowComparison found = compared(values({{"args[0]", {2, 2}}, {"parameter w", {0}}}), model);
  EXPECT_EQ(found.compared, 0);
  EXPECT_TRUE(found.differences.empty());
  EXPECT_EQ(found.reason, "no finite gradients stand beside each other");
}

TEST(Flow, DiffersWhereTheSubjectAloneCannotGoBack) {
  GradientFlow model = values({{"args[0]", {1}}, {"parameter w", {2}}});
  GradientFlow parameters = values({{"parameter w", {2}}}), nothing;
  parameters.failed = nothing.failed = "RuntimeError: modified by an inplace operation";
  for (const GradientFlow& failing : {parameters, nothing}) {
    FlowComparison found = compared(failing, model);
    ASSERT_EQ(found.differences.size(), 1U);
    EXPECT_EQ(found.differences[0].text(),
              "inputs: gradients: error RuntimeError: modified by an inplace operation instead of "
              "gradients");
    // Of a model that asks for no gradients of inputs, or cannot go back either.
    EXPECT_TRUE(compared(failing, values({{"parameter w", {2}}})).differences.empty());
    FlowComparison both = compared(failing, failing);
    EXPECT_EQ(both.compared, 1);
    EXPECT_TRUE(both.differences.empty());
  }
  EXPECT_TRUE(compared(model, parameters).differences.empty());
}

TEST(Flow, DiffersWhereOneSideAloneIsCut) {
  GradientFlow model = cuts({{"output[0]", {"none recorded"}}, {"output[1]", {}}});
  EXPECT_TRUE(compared(model, model).differences.empty());
  FlowComparison lost = compared(cuts({{"output[0]", {}}, {"output[1]", {}}}), model);
  EXPECT_EQ(lost.compared, 2);
  ASSERT_EQ(lost.differences.size(), 1U);
  EXPECT_EQ(lost.differences[0].text(),
            "output[0]: gradients: gradients through all of it instead of gradients that end on "
            "the way (none recorded)");
}

/// The model as it is, and with what was cut moved.
FlowComparison compared_when_moved(const GradientFlow& subject, double output, Cuts left) {
  GradientFlow model = cuts({{"output", {"none recorded"}}});
  model.values["output"] = {1, 2};
  model.precision = single;
  GradientFlow moved = cuts({{"output", std::move(left)}});
  moved.values["output"] = {1, output};
  return compare_flows(subject, model, [&] { return moved; });
}

TEST(Flow, LosesNothingByACutThatMovesNoOutput) {
  GradientFlow uncut = cuts({{"output", {}}});
  EXPECT_TRUE(compared_when_moved(uncut, 2, {}).differences.empty());
  EXPECT_TRUE(compared_when_moved(uncut, 2 + 1e-6, {}).differences.empty());  // Rounding.
  EXPECT_EQ(compared_when_moved(uncut, 2.001, {}).differences.size(), 1U);
  EXPECT_EQ(compared_when_moved(uncut, 2, {"none recorded"}).differences.size(), 1U);
  // One of the subject's own is another matter.
  GradientFlow other = cuts({{"output", {"detached float32[2]"}}});
  EXPECT_EQ(compared_when_moved(other, 2, {}).differences.size(), 1U);
}

TEST(Flow, SaysWhyNothingWasCompared) {
  GradientFlow model = values({{"args[0]", {1}}});
  EXPECT_EQ(compared(GradientFlow::unknown("it raises"), model).reason, "it raises");
  EXPECT_EQ(compared(cuts({{"output", {}}}), model).reason, "one side alone computes gradients");
}

TEST(Flow, LeavesDerivativesOfTheModelsOwnUndecided) {
  GradientFlow model = cuts({{"output", {}}}), other = cuts({{"output", {"none recorded"}}});
  EXPECT_TRUE(compared(model, model).decides);
  model.own_derivatives = {"Reverse"};
  FlowComparison alike = compared(cuts({{"output", {}}}), model);
  EXPECT_TRUE(alike.differences.empty());
  EXPECT_FALSE(alike.decides);
  EXPECT_NE(alike.reason.find("Reverse has a derivative of its own"), std::string::npos);
  // What was found is decided.
  EXPECT_TRUE(compared(other, model).decides);
  EXPECT_EQ(compared(other, model).differences.size(), 1U);
}

}  // namespace
}  // namespace assay::verify
