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

TEST(Gradients, NeedAReference) {
  Trial trial({{"input", "x: f32[3]"}}, nullptr, nullptr);
  trial.context.reference = nullptr;
  EXPECT_FALSE(Gradients().not_applicable(trial.context).empty());
}

}  // namespace
}  // namespace assay::verify
