#include "verify/properties/gradients.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::Trial;
using Verdict = Judgement::Verdict;

Observation asks(bool gradients, core::Dims sizes = {3}) {
  Observation run = testing::gave(std::move(sizes));
  core::Tensor out = run.outputs.to_tensor();
  out.impl()->requires_grad = gradients;
  run.outputs = out;
  return run;
}

/// What PyTorch's run of the archive gives where the model asks for no gradients.
Judgement judged(const Observation& given, const std::string& grad = "on") {
  Trial trial({{"input", "x: f32[3]"}, {"grad", "off,on"}}, nullptr,
              [](const Case&) { return asks(false); });
  trial.subject.in_pytorch =
      std::make_shared<testing::FakeRunner>([&](const Case&) { return given; });
  Point point;
  point.choices["grad"] = grad;
  return Gradients().judge(trial.context, build_case(trial.spec, point));
}

TEST(Gradients, AreAskedForWhereTheModelAsks) {
  EXPECT_EQ(judged(asks(false)).verdict, Verdict::holds);
  Judgement lost = judged(asks(true));
  EXPECT_EQ(lost.verdict, Verdict::violated);
  ASSERT_EQ(lost.comparison.differences.size(), 1U);
  EXPECT_EQ(lost.comparison.differences[0].text(),
            "output: gradients: asks for gradients instead of asks for none");
}

TEST(Gradients, AreAllThatTheyCompare) {
  EXPECT_EQ(judged(asks(false, {4})).verdict, Verdict::holds);
  // Another output may well ask for others.
  EXPECT_EQ(judged(asks(true, {4})).verdict, Verdict::not_tested);
  EXPECT_EQ(judged(asks(true), "off").verdict, Verdict::not_tested);
  EXPECT_EQ(judged(testing::raised("no")).verdict, Verdict::not_tested);
}

TEST(Gradients, AreAskedOfTheSubjectItselfWhereThereIsNoPyTorch) {
  Trial trial(
      {{"input", "x: f32[3]"}, {"grad", "off,on"}}, [](const Case&) { return asks(true); },
      [](const Case&) { return asks(false); });
  EXPECT_TRUE(Gradients().not_applicable(trial.context).empty());
  Point point;
  point.choices["grad"] = "on";
  Judgement lost = Gradients().judge(trial.context, build_case(trial.spec, point));
  EXPECT_EQ(lost.verdict, Verdict::violated);
}

/// Gives outputs that ask for gradients, and one gradient.
class Differentiated final : public Runner {
 public:
  explicit Differentiated(double gradient, core::Dims sizes = {3})
      : gradient_(gradient), sizes_(std::move(sizes)) {}
  Observation run(const Case&) override { return asks(true, sizes_); }
  GradientFlow gradient_flow(const Case&, const FlowWish&) override {
    GradientFlow flow;
    flow.kind = GradientFlow::Kind::values;
    flow.values = {{"args[0]", {gradient_}}};
    flow.precision = 1e-7;
    return flow;
  }
  std::string name() const override { return "differentiated"; }

 private:
  double gradient_;
  core::Dims sizes_;
};

Judgement judged_flows(const std::shared_ptr<Runner>& subject) {
  Trial trial({{"input", "x: f32[3]"}, {"grad", "off,on"}}, nullptr, nullptr);
  trial.subject.runner = subject;
  trial.reference.runner = std::make_shared<Differentiated>(1);
  Point point;
  point.choices["grad"] = "on";
  return Gradients().judge(trial.context, build_case(trial.spec, point));
}

TEST(Gradients, AreComparedWhereOutputsAreTheSame) {
  EXPECT_EQ(judged_flows(std::make_shared<Differentiated>(1)).verdict, Verdict::holds);
  Judgement other = judged_flows(std::make_shared<Differentiated>(2));
  EXPECT_EQ(other.verdict, Verdict::violated);
  ASSERT_EQ(other.comparison.differences.size(), 1U);
  EXPECT_EQ(other.comparison.differences[0].place, "args[0]");
  // Another output has other gradients.
  auto elsewhere = std::make_shared<Differentiated>(2, core::Dims{4});
  EXPECT_EQ(judged_flows(elsewhere).verdict, Verdict::holds);
}

TEST(Gradients, AreAskedForAloneWhereNobodyTellsThem) {
  auto silent = std::make_shared<testing::FakeRunner>([](const Case&) { return asks(true); });
  Judgement judgement = judged_flows(silent);
  EXPECT_EQ(judgement.verdict, Verdict::holds);
  EXPECT_EQ(judgement.reason, "fake tells nothing of gradients");
}

TEST(Gradients, NeedAReference) {
  Trial trial({{"input", "x: f32[3]"}}, nullptr, nullptr);
  trial.context.reference = nullptr;
  EXPECT_FALSE(Gradients().not_applicable(trial.context).empty());
}

}  // namespace
}  // namespace assay::verify
