#include "verify/properties/deterministic.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::Trial;

TEST(Deterministic, ComparesBits) {
  float value = 1, step = 0;
  auto body = [&](const Case&) { return testing::gave({3}, value += step); };
  Trial trial({{"input", "x: f32[3]"}}, body, body);
  Case c = build_case(trial.spec, *nearest_point(trial.spec, Point{}));
  EXPECT_EQ(Deterministic().judge(trial.context, c).verdict, Judgement::Verdict::holds);
  step = 1e-6f;  // Within every bound, and not equal.
  EXPECT_EQ(Deterministic().judge(trial.context, c).verdict, Judgement::Verdict::violated);
  trial.subject_runner->refusal = "no device";
  EXPECT_EQ(Deterministic().judge(trial.context, c).verdict, Judgement::Verdict::not_tested);
}

}  // namespace
}  // namespace assay::verify
