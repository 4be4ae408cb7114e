#include "verify/properties/optimization_neutral.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::FakeRunner;
using testing::gave;
using testing::raised;
using testing::Trial;

const OptimizationNeutral property;

Judgement judge(FakeRunner::Body plain, FakeRunner::Body optimized) {
  Trial trial({{"input", "x: f32[n]"}, {"dim", "n=1..9"}}, plain, plain);
  trial.subject.optimized = std::make_shared<FakeRunner>(std::move(optimized));
  auto point = nearest_point(trial.spec, {});
  return property.judge(trial.context, build_case(trial.spec, *point));
}

TEST(OptimizationNeutral, HoldsWhereBothGiveTheSame) {
  auto two = [](const Case&) { return gave({2}); };
  EXPECT_EQ(judge(two, two).verdict, Judgement::Verdict::holds);
  auto error = [](const Case&) { return raised("no"); };
  EXPECT_EQ(judge(error, error).verdict, Judgement::Verdict::discarded);
}

TEST(OptimizationNeutral, AnotherResultOrAnErrorViolatesIt) {
  auto two = [](const Case&) { return gave({2}); };
  auto other = [](const Case&) { return gave({2}, 3); };
  EXPECT_EQ(judge(two, other).verdict, Judgement::Verdict::violated);
  auto error = [](const Case&) { return raised("only the optimized form"); };
  Judgement loud = judge(two, error);
  EXPECT_EQ(loud.verdict, Judgement::Verdict::violated);
  EXPECT_EQ(loud.comparison.headline()->layer, Layer::ending);
}

TEST(OptimizationNeutral, WithoutAnOptimizedFormNothingIsTested) {
  auto two = [](const Case&) { return gave({2}); };
  auto none = [](const Case&) {
    Observation run;
    run.ending = Ending::not_run;
    run.failure = Failure{"unsupported", "there is no optimized form", "run", {}, {}};
    return run;
  };
  Judgement out = judge(two, none);
  EXPECT_EQ(out.verdict, Judgement::Verdict::not_tested);
  EXPECT_EQ(out.reason, "there is no optimized form");
  Trial trial({{"input", "x: f32[n]"}, {"dim", "n=1..9"}}, two, two);
  EXPECT_FALSE(property.not_applicable(trial.context).empty());
}

}  // namespace
}  // namespace assay::verify
