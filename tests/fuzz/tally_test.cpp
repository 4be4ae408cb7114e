#include "fuzz/tally.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/text.h"
#include "engine/core/backends.h"
#include "fuzz/campaign.h"
#include "tests/support/fake_model.h"
#include "verify/properties/deterministic.h"
#include "verify/properties/device_portable.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::Status;
using verify::testing::gave;
using verify::testing::raised;
using verify::testing::Trial;

const std::vector<verify::SpecPiece> vectors{{"input", "x: f32[n]"}, {"dim", "n=1..8"}};

verify::Observation vector(const Case& c) { return gave({c.point.sizes.at("n")}); }

verify::Observation ended(verify::Ending ending) {
  verify::Observation run;
  run.ending = ending;
  run.failure = verify::Failure{"", "as it is", "run", {}, {}};
  return run;
}

CampaignResult run_with(Trial& trial, std::vector<std::shared_ptr<const verify::Property>> all) {
  CampaignOptions options;
  options.budget.max_examples = 40;
  return run_campaign(trial.context, all, options);
}

std::vector<std::shared_ptr<const verify::Property>> parity_and_deterministic() {
  return {std::make_shared<verify::Parity>(), std::make_shared<verify::Deterministic>()};
}

TEST(Tally, ACaseWithoutTheReferenceIsNotComparedWhateverElseHolds) {
  Trial trial(vectors, vector, [](const Case& c) {
    return c.point.sizes.at("n") > 2 ? ended(verify::Ending::died) : vector(c);
  });
  CampaignResult r = run_with(trial, parity_and_deterministic());
  EXPECT_GT(r.totals.valid, 0);
  EXPECT_GT(r.totals.uncompared, 0);
  EXPECT_EQ(r.totals.valid + r.totals.uncompared, r.totals.cases);
  EXPECT_EQ(r.outcomes[1].valid, r.totals.cases);  // The subject agrees with itself all the same.
  ASSERT_EQ(r.uncompared.size(), 1u);
  EXPECT_EQ(r.uncompared.begin()->second, r.totals.uncompared);
  EXPECT_NE(r.uncompared.begin()->first.find("the reference died"), std::string::npos);
  EXPECT_EQ(r.exercised.at("n").count("3"), 0u);
  EXPECT_EQ(r.missed.at("n").count("3"), 1u);
}

/// Finds an element beyond its bound that rounding explains, far beyond where something else is
/// wrong.
class NearTheBound final : public verify::Property {
 public:
  std::string_view id() const override { return "near_the_bound"; }
  verify::Judgement judge(const verify::PropertyContext&, const Case& c) const override {
    bool wrong = c.point.sizes.at("n") > 2;
    verify::ValueError error;
    error.compared = error.adjudicated = 1;
    error.needed_atol = error.adjudicated_difference = wrong ? 0.5 : 0.25;
    error.adjudicated_spread = 0.125;
    using Judgement = verify::Judgement;
    using Comparison = verify::Comparison;
    Judgement out;
    out.verdict = wrong ? Judgement::Verdict::violated : Judgement::Verdict::holds;
    out.comparison.verdict = wrong ? Comparison::Verdict::differ : Comparison::Verdict::agree;
    out.comparison.errors = {{"output", error}};
    return out;
  }
};

TEST(Tally, WhatLiesNearItsBoundBesideAFaultIsNoRounding) {
  Trial trial(vectors, vector, vector);
  CampaignResult r = run_with(trial, {std::make_shared<NearTheBound>()});
  EXPECT_GT(r.outcomes[0].adjudicated, 0);
  EXPECT_LT(r.outcomes[0].adjudicated, r.outcomes[0].valid);
  ASSERT_EQ(r.errors.size(), 1u);
  EXPECT_EQ(r.errors[0].second.adjudicated_difference, 0.25);
  EXPECT_EQ(r.errors[0].second.needed_atol, 0.5);
}

/// Holds, but for what it could not ask.
class InPart final : public verify::Property {
 public:
  std::string_view id() const override { return "in_part"; }
  bool compares_values() const override { return false; }
  verify::Judgement judge(const verify::PropertyContext&, const Case& c) const override {
    verify::Judgement out;
    out.verdict = verify::Judgement::Verdict::holds;
    if (c.point.sizes.at("n") > 2) out.reason = "nobody tells";
    return out;
  }
};

TEST(Tally, WhatHoldsInPartIsTold) {
  Trial trial(vectors, vector, vector);
  CampaignResult r =
      run_with(trial, {std::make_shared<verify::Parity>(), std::make_shared<InPart>()});
  std::string told = base::join(r.not_tested, "; ");
  EXPECT_NE(told.find("in_part: "), std::string::npos) << told;
  EXPECT_NE(told.find(" cases were compared in part: nobody tells"), std::string::npos) << told;
  EXPECT_EQ(r.outcomes[1].status, Status::passed);
}

TEST(Tally, WhatRunsOutIsNotComparedOnEitherSide) {
  for (bool reference : {false, true}) {
    auto exhausted = [](const Case&) { return ended(verify::Ending::exhausted); };
    Trial trial(vectors, reference ? verify::testing::FakeRunner::Body(vector) : exhausted,
                reference ? verify::testing::FakeRunner::Body(exhausted) : vector);
    CampaignResult r = run_with(trial, parity_and_deterministic());
    EXPECT_TRUE(r.failures.empty());
    EXPECT_EQ(r.totals.uncompared, r.totals.cases);
    EXPECT_EQ(r.outcomes[0].status, Status::undecided);
  }
}

TEST(Tally, ElementsAreCountedOnceForAllProperties) {
  Trial trial(vectors, vector, vector);
  CampaignResult r = run_with(trial, parity_and_deterministic());
  EXPECT_EQ(r.totals.elements, r.outcomes[0].elements);
  EXPECT_EQ(r.outcomes[1].elements, r.outcomes[0].elements);
}

TEST(Tally, ADeviceThatTheReferenceLacksIsComparedWithItsRunOnTheCpu) {
  core::register_fake_devices(true);
  auto with_device = vectors;
  with_device.push_back({"devices", "cpu,fake:0"});
  auto on_device = [](const Case& c) {
    verify::Observation run = vector(c);
    run.outputs = verify::relocated(run.outputs, c.device());
    return run;
  };
  Trial trial(with_device, on_device, vector);
  trial.reference_runner->refuse = [](const Case& c) {
    return c.device().type == core::DeviceType::cpu ? "" : "no such device";
  };
  auto parity = run_with(trial, parity_and_deterministic());
  EXPECT_GT(parity.totals.uncompared, 0);
  EXPECT_EQ(parity.missed.at("device").at("fake:0"), "fake: no such device");
  auto both = run_with(
      trial, {std::make_shared<verify::Parity>(), std::make_shared<verify::DevicePortable>()});
  EXPECT_EQ(both.totals.uncompared, 0);
  EXPECT_GT(both.exercised.at("device").at("fake:0"), 0);
}

TEST(Tally, WithoutAReferenceTheSubjectStandsAgainstItself) {
  Trial trial(vectors, vector, vector);
  trial.context.reference = nullptr;
  CampaignResult r = run_with(trial, parity_and_deterministic());
  EXPECT_EQ(r.outcomes[0].status, Status::skipped);
  EXPECT_EQ(r.totals.valid, r.totals.cases);
}

TEST(Tally, NanOnBothSidesIsNoComparison) {
  auto nan = [](const Case& c) { return gave({c.point.sizes.at("n")}, std::nanf("")); };
  Trial trial(vectors, nan, nan);
  CampaignResult r = run_with(trial, parity_and_deterministic());
  EXPECT_EQ(r.totals.elements, 0);
  EXPECT_EQ(r.outcomes[0].status, Status::undecided);
  EXPECT_NE(r.outcomes[0].reason.find("NaN"), std::string::npos);
  ASSERT_FALSE(r.vacuous.empty());
  EXPECT_NE(r.vacuous[0].find("NaN on both sides"), std::string::npos);
}

TEST(Tally, AnOutputThatFollowsNoInputIsTold) {
  auto fixed = [](const Case&) { return gave({3}); };
  Trial same(vectors, fixed, fixed), other(vectors, vector, vector);
  CampaignResult told = run_with(same, parity_and_deterministic());
  ASSERT_EQ(told.vacuous.size(), 1u);
  EXPECT_EQ(told.vacuous[0], "output was the same in all 40 cases: it does not follow the inputs");
  EXPECT_TRUE(run_with(other, parity_and_deterministic()).vacuous.empty());
}

}  // namespace
}  // namespace assay::fuzz
