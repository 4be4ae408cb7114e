#include "verify/properties/parity.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::gave;
using testing::raised;
using testing::Trial;
using Verdict = Judgement::Verdict;

const std::vector<SpecPiece> pieces{{"input", "x: f32[3]"}};

Judgement judged(const testing::FakeRunner::Body& subject,
                 const testing::FakeRunner::Body& reference) {
  Trial trial(pieces, subject, reference);
  return Parity().judge(trial.context, build_case(trial.spec, *nearest_point(trial.spec, Point{})));
}

TEST(Parity, HoldsWhereBothGiveTheSame) {
  auto one = [](const Case&) { return gave({3}); };
  Judgement j = judged(one, one);
  EXPECT_EQ(j.verdict, Verdict::holds);
  EXPECT_EQ(j.comparison.elements(), 3);
}

TEST(Parity, IsViolatedByAnotherShapeValueOrEnding) {
  auto one = [](const Case&) { return gave({3}); };
  EXPECT_EQ(judged([](const Case&) { return gave({4}); }, one).verdict, Verdict::violated);
  EXPECT_EQ(judged([](const Case&) { return gave({3}, 2); }, one).verdict, Verdict::violated);
  EXPECT_EQ(judged([](const Case&) { return raised("no"); }, one).verdict, Verdict::violated);
  EXPECT_EQ(judged(one, [](const Case&) { return raised("no"); }).verdict, Verdict::violated);
}

TEST(Parity, BothRaisingIsNoAgreement) {
  auto no = [](const Case&) { return raised("no"); };
  EXPECT_EQ(judged(no, no).verdict, Verdict::discarded);
}

TEST(Parity, AnEmptyResultIsNotCompared) {
  auto empty = [](const Case&) { return gave({0}); };
  Judgement j = judged(empty, empty);
  EXPECT_EQ(j.comparison.elements(), 0);
}

TEST(Parity, WhereBothDrawAReferenceThatContradictsItselfSaysNothingOfValues) {
  float value = 0;
  auto other_each_time = [&](const Case&) { return gave({3}, value += 1); };
  auto by_seed = [](const Case& c) { return gave({3}, 90 + static_cast<float>(c.model_seed())); };
  Judgement j = judged(by_seed, other_each_time);
  EXPECT_EQ(j.verdict, Verdict::not_tested);
  EXPECT_EQ(j.reason.rfind("AS116", 0), 0u);
  // But of shapes it does.
  EXPECT_EQ(judged([](const Case&) { return gave({4}, 9); }, other_each_time).verdict,
            Verdict::violated);
}

TEST(Parity, IsViolatedWhereTheSubjectFixedWhatTheReferenceAsksAnew) {
  float value = 0;
  Judgement j = judged([](const Case&) { return gave({3}, 9); },
                       [&](const Case&) { return gave({3}, value += 1); });
  EXPECT_EQ(j.verdict, Verdict::violated);
}

TEST(Parity, AppliesWithAReferenceAndToItsCases) {
  auto one = [](const Case&) { return gave({3}); };
  Trial trial(pieces, one, one);
  Case c = build_case(trial.spec, *nearest_point(trial.spec, Point{}));
  EXPECT_TRUE(Parity().concerns(trial.context, c));
  trial.reference_runner->only = {c};
  trial.reference_runner->refusal = "it has no such call";
  EXPECT_FALSE(Parity().concerns(trial.context, c));
  trial.reference_runner->only.clear();
  EXPECT_TRUE(Parity().concerns(trial.context, c));  // A host that refuses: not tested, and told.
  EXPECT_EQ(Parity().judge(trial.context, c).verdict, Verdict::not_tested);
  trial.context.reference = nullptr;
  EXPECT_FALSE(Parity().not_applicable(trial.context).empty());
}

}  // namespace
}  // namespace assay::verify
