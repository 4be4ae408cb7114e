#include "verify/properties/domain_accepted.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::gave;
using testing::raised;
using testing::Trial;
using Verdict = Judgement::Verdict;

Judgement judged(const testing::FakeRunner::Body& subject) {
  Trial trial({{"input", "x: f32[3]"}}, subject, subject);
  trial.context.reference = nullptr;
  Case c = build_case(trial.spec, *nearest_point(trial.spec, Point{}));
  return DomainAccepted().judge(trial.context, c);
}

TEST(DomainAccepted, WhatRaisesWithinTheSpecIsALoudFailure) {
  EXPECT_EQ(judged([](const Case&) { return gave({3}); }).verdict, Verdict::holds);
  Judgement j = judged([](const Case&) { return raised("shape '[3, 4]' is invalid"); });
  EXPECT_EQ(j.verdict, Verdict::violated);
  EXPECT_EQ(j.comparison.headline()->layer, Layer::ending);
}

TEST(DomainAccepted, WhatRunsOutOfTimeSaysNothing) {
  EXPECT_EQ(judged([](const Case&) {
              Observation run = raised("too slow");
              run.ending = Ending::exhausted;
              return run;
            }).verdict,
            Verdict::not_tested);
}

TEST(DomainAccepted, AReferenceKnowsBetter) {
  auto one = [](const Case&) { return gave({3}); };
  Trial trial({{"input", "x: f32[3]"}}, one, one);
  EXPECT_NE(DomainAccepted().not_applicable(trial.context), "");
}

}  // namespace
}  // namespace assay::verify
