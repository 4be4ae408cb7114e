#include "fuzz/campaign.h"

#include <gtest/gtest.h>

#include "engine/core/backends.h"
#include "fuzz/database.h"
#include "tests/support/fake_model.h"
#include "verify/properties/device_portable.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::FailureGroup;
using verify::Status;
using verify::testing::gave;
using verify::testing::raised;
using verify::testing::Trial;

const std::vector<verify::SpecPiece> sequences{
    {"input", "ids: i64[b, t] in 0..9"}, {"dim", "b=1..4"}, {"dim", "t=1..64"}};

verify::Observation right(const Case& c) {
  return gave({c.point.sizes.at("b"), c.point.sizes.at("t")});
}

/// A length of 7 is fixed: right at 7, broadcast at 1, an error elsewhere.
verify::Observation pinned_to_seven(const Case& c) {
  int64_t t = c.point.sizes.at("t");
  if (t != 7 && t != 1) {
    return raised("The size of tensor a (" + std::to_string(t) + ") must match tensor b (7)");
  }
  return gave({c.point.sizes.at("b"), 7});
}

CampaignOptions budget_of(int64_t examples, uint64_t seed = 3) {
  CampaignOptions options;
  options.seed = seed;
  options.budget.max_examples = examples;
  return options;
}

std::string text_of(const CampaignResult& result) {
  std::string out;
  for (const CampaignPoint& p : result.points) {
    for (const auto& [name, size] : p.point.sizes) out += name + std::to_string(size) + ' ';
    for (const auto& [key, word] : p.point.choices) out += word + ' ';
    out += p.point.verdict + '\n';
  }
  for (const FailureGroup& f : result.failures)
    out += f.key + ' ' + verify::to_json(f.smallest) + '\n';
  return out;
}

TEST(Campaign, FindsASilentAndALoudFailureAndShrinksBoth) {
  Trial setup(sequences, pinned_to_seven, right);
  CampaignResult result = run_campaign(setup.context, setup.parity, budget_of(60));
  ASSERT_EQ(result.failures.size(), 2u);
  EXPECT_EQ(result.outcomes[0].status, Status::failed);
  for (const FailureGroup& failure : result.failures) {
    EXPECT_TRUE(failure.shrunk_fully);
    EXPECT_FALSE(failure.flaky);
    bool silent = failure.visibility == verify::Visibility::silent;
    EXPECT_EQ(failure.smallest.point.sizes.at("t"), silent ? 1 : 2);
    EXPECT_EQ(failure.smallest.point.sizes.at("b"), 1);
    EXPECT_EQ(failure.key.rfind(silent ? "silent shape" : "loud ending RuntimeError", 0), 0u);
  }
}

TEST(Campaign, EqualSeedsGiveEqualResults) {
  Trial setup(sequences, pinned_to_seven, right);
  std::string first = text_of(run_campaign(setup.context, setup.parity, budget_of(80, 1)));
  EXPECT_EQ(first, text_of(run_campaign(setup.context, setup.parity, budget_of(80, 1))));
  EXPECT_NE(first, text_of(run_campaign(setup.context, setup.parity, budget_of(80, 2))));
}

TEST(Campaign, HelpersChangeNothingButTheTime) {
  Trial setup(sequences, pinned_to_seven, right);
  CampaignOptions options = budget_of(80, 1);
  std::string alone = text_of(run_campaign(setup.context, setup.parity, options));
  Trial others[] = {{sequences, pinned_to_seven, right}, {sequences, pinned_to_seven, right}};
  for (const Trial& other : others) options.helpers.push_back({other.subject, other.reference});
  EXPECT_EQ(alone, text_of(run_campaign(setup.context, setup.parity, options)));
}

TEST(Campaign, ATimeBudgetOnlyEndsTheSequence) {
  Trial setup(sequences, right, right);
  std::string whole = text_of(run_campaign(setup.context, setup.parity, budget_of(50)));
  CampaignOptions options = budget_of(50);
  options.budget.max_seconds = 100;
  double now = 0;
  options.clock = [&now] { return now += 1; };
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  EXPECT_EQ(result.totals.stopped_by, "time");
  EXPECT_LT(result.totals.cases, 50);
  EXPECT_EQ(whole.rfind(text_of(result), 0), 0u);
}

TEST(Campaign, TheLastCaseThatFitsGivesEveryLetterASecondSize) {
  for (double seconds : {30., 45., 65., 85.}) {
    double now = 0;
    auto slow = [&](const Case& c) {
      now += 20;
      return right(c);
    };
    Trial setup(sequences, slow, right);
    CampaignOptions options = budget_of(50);
    options.budget.max_seconds = seconds;
    options.clock = [&now] { return now; };
    CampaignResult result = run_campaign(setup.context, setup.parity, options);
    EXPECT_EQ(result.totals.stopped_by, "time");
    size_t enough = seconds < 40 ? 1 : 2;
    EXPECT_EQ(result.exercised.at("b").size(), enough) << seconds;
    EXPECT_GE(result.exercised.at("t").size(), enough) << seconds;
    EXPECT_EQ(result.points.size(), static_cast<size_t>(1.1 * seconds / 20)) << seconds;
  }
}

TEST(Campaign, EndsOfTheDomainAndTheExampleAreTriedFirst) {
  Trial setup(sequences, right, right);
  CampaignOptions options = budget_of(40);
  options.hints.example = verify::Point{{{"b", 2}, {"t", 12}}, {}, 0};
  options.hints.literals = {12, 40};
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  EXPECT_EQ(result.points[0].point.sizes, (verify::Bindings{{"b", 2}, {"t", 12}}));
  for (const char* size : {"1", "2", "64", "11", "13", "24", "6", "40", "39", "41"}) {
    EXPECT_EQ(result.exercised.at("t").count(size), 1u) << size;
  }
  EXPECT_EQ(result.outcomes[0].status, Status::passed);
  EXPECT_EQ(result.outcomes[0].valid, 40);
  EXPECT_GT(result.outcomes[0].elements, 0);
}

TEST(Campaign, AFailureThatDoesNotRepeatIsFlaky) {
  int runs = 0;
  Trial setup(
      sequences, [&](const Case& c) { return ++runs == 5 ? raised("once") : right(c); }, right);
  CampaignResult result = run_campaign(setup.context, setup.parity, budget_of(20));
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_TRUE(result.failures[0].flaky);
  EXPECT_EQ(result.outcomes[0].status, Status::flaky);
}

TEST(Campaign, AnUnstableReferenceIsNotAFailureOfTheSubject) {
  float noise = 0;
  auto drawn = [](const Case& c, float value) {
    return gave({c.point.sizes.at("b"), c.point.sizes.at("t")}, value);
  };
  Trial setup(
      sequences, [&](const Case& c) { return drawn(c, 100 + static_cast<float>(c.model_seed())); },
      [&](const Case& c) { return drawn(c, noise += 1); });
  CampaignResult result = run_campaign(setup.context, setup.parity, budget_of(10));
  EXPECT_TRUE(result.failures.empty());
  ASSERT_FALSE(result.not_tested.empty());
  EXPECT_NE(result.not_tested[0].find("AS116"), std::string::npos);
}

TEST(Campaign, NothingComparedIsUndecided) {
  Trial rejected(
      sequences, [](const Case&) { return raised("no"); },
      [](const Case&) { return raised("no"); });
  EXPECT_EQ(run_campaign(rejected.context, rejected.parity, budget_of(9)).outcomes[0].status,
            Status::undecided);
  Trial empty(
      sequences,
      [](const Case&) {
        return gave({0, 3});
      },
      [](const Case&) {
        return gave({0, 3});
      });
  EXPECT_EQ(run_campaign(empty.context, empty.parity, budget_of(9)).outcomes[0].status,
            Status::undecided);
  Trial refused(sequences, right, right);
  refused.reference_runner->refusal = "no device cuda:0";
  CampaignResult result = run_campaign(refused.context, refused.parity, budget_of(9));
  EXPECT_EQ(result.outcomes[0].status, Status::undecided);
  EXPECT_EQ(result.not_tested[0], "parity: 9 cases: fake: no device cuda:0");
  Trial alone(sequences, right, right);
  alone.context.reference = nullptr;
  EXPECT_EQ(run_campaign(alone.context, alone.parity, budget_of(9)).outcomes[0].status,
            Status::skipped);
}

verify::Observation ended(verify::Ending ending, const std::string& type) {
  verify::Observation run;
  run.ending = ending;
  run.failure = verify::Failure{type, "why", "run", {}, {}};
  return run;
}

TEST(Campaign, AModelThatKillsItsProcessIsNotTestedAndAFaultOfTheEngineIsAnError) {
  auto status = [](const verify::Observation& subject, const verify::Observation& reference) {
    Trial setup(
        sequences, [=](const Case&) { return subject; }, [=](const Case&) { return reference; });
    return run_campaign(setup.context, setup.parity, budget_of(5)).outcomes[0].status;
  };
  verify::Observation fine = gave({1});
  EXPECT_EQ(status(fine, ended(verify::Ending::died, "died")), Status::undecided);
  EXPECT_EQ(status(fine, ended(verify::Ending::invalid_reply, "invalid_reply")), Status::errored);
  EXPECT_EQ(status(ended(verify::Ending::not_run, "unsupported"), fine), Status::undecided);
  EXPECT_EQ(status(ended(verify::Ending::not_run, "internal"), fine), Status::errored);
  EXPECT_EQ(status(ended(verify::Ending::died, "died"), fine), Status::failed);
}

TEST(Campaign, AReferenceWithCertainCasesGivesTheSequence) {
  Trial setup(sequences, pinned_to_seven, right);
  for (int64_t t : {7, 20, 5, 9}) {
    verify::Point point = *nearest_point(setup.spec, verify::Point{{{"b", 2}, {"t", t}}, {}, 1});
    setup.reference_runner->only.push_back(build_case(setup.spec, point));
  }
  CampaignResult result = run_campaign(setup.context, setup.parity, budget_of(100));
  EXPECT_EQ(result.totals.cases, 4);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].count, 3);
  EXPECT_EQ(result.failures[0].smallest.point.sizes.at("t"), 5);
  EXPECT_EQ(result.not_tested.back(), "everything but the 4 cases that the reference holds");
}

TEST(Campaign, ARecordingsCasesAreJudgedOnOtherDevicesToo) {
  core::register_fake_devices(true);
  // Right everywhere on the CPU, on another device only where t is 7.
  auto subject = [](const Case& c) {
    bool wrong = c.device().type != core::DeviceType::cpu && c.point.sizes.at("t") != 7;
    if (wrong) return raised("expected all tensors on the same device");
    verify::Observation run = right(c);
    run.outputs = verify::relocated(run.outputs, c.device());
    return run;
  };
  std::vector<verify::SpecPiece> pieces = sequences;
  pieces.push_back({"devices", "cpu,fake:0"});
  Trial setup(pieces, subject, right);
  for (int64_t t : {7, 20}) {
    verify::Point point{{{"b", 2}, {"t", t}}, {{"device", "cpu"}}, 1};
    setup.reference_runner->only.push_back(
        build_case(setup.spec, *nearest_point(setup.spec, point)));
  }
  setup.reference_runner->refuse = [](const Case& c) {
    return c.device().type == core::DeviceType::cpu ? "" : "it has no such call";
  };
  std::vector<std::shared_ptr<const verify::Property>> properties{
      std::make_shared<verify::Parity>(), std::make_shared<verify::DevicePortable>()};
  CampaignResult result = run_campaign(setup.context, properties, budget_of(100));
  EXPECT_EQ(result.totals.cases, 4);
  EXPECT_EQ(result.outcomes[0].status, Status::passed);
  EXPECT_EQ(result.outcomes[0].valid, 2);
  EXPECT_EQ(result.outcomes[0].discarded, 0);
  EXPECT_EQ(result.outcomes[1].status, Status::failed);
  EXPECT_EQ(result.outcomes[1].valid, 2);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].smallest.point.sizes.at("t"), 20);
}

TEST(Campaign, FailFastStopsAtTheFirstFailure) {
  Trial setup(sequences, pinned_to_seven, right);
  CampaignOptions options = budget_of(100);
  options.budget.fail_fast = true;
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  EXPECT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.totals.stopped_by, "findings");
}

TEST(Campaign, RememberedCasesComeFirst) {
  Trial setup(sequences, pinned_to_seven, right);
  CampaignOptions options = budget_of(1);
  options.first = {build_case(
      setup.spec, *nearest_point(setup.spec, verify::Point{{{"b", 4}, {"t", 33}}, {}, 9}))};
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  ASSERT_GE(result.failures.size(), 1u);
  EXPECT_EQ(result.points[0].point.sizes.at("t"), 33);
  EXPECT_EQ(result.totals.remembered, 1);
}

TEST(Campaign, RememberedCasesOfAnotherSpecOrRecordingArePassedOver) {
  Trial setup(sequences, pinned_to_seven, right);
  verify::Spec other = verify::parse_spec(
      {{"input", "ids: i64[b, t] in 0..9"}, {"dim", "b=1..4"}, {"dim", "t=1..99"}});
  auto at = [&](const verify::Spec& spec, int64_t t) {
    return build_case(spec, *nearest_point(spec, verify::Point{{{"b", 2}, {"t", t}}, {}, 1}));
  };
  CampaignOptions options = budget_of(20);
  options.first = {at(other, 99), at(setup.spec, 40)};
  EXPECT_EQ(run_campaign(setup.context, setup.parity, options).totals.remembered, 1);
  setup.reference_runner->only = {at(setup.spec, 7), at(setup.spec, 20), at(setup.spec, 5)};
  options.first = {at(setup.spec, 40), at(setup.spec, 5)};
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  EXPECT_EQ(result.totals.remembered, 1);
  EXPECT_EQ(result.totals.cases, 3);  // Nothing is judged twice.
  EXPECT_EQ(result.points[0].point.sizes.at("t"), 5);
}

TEST(Campaign, ShrinkingEndsWithinItsCapAndKeepsTheKey) {
  // Every smaller point fails in the same way, so that shrinking could go on for long.
  Trial setup(
      sequences, [](const Case&) { return raised("always"); }, right);
  CampaignOptions options = budget_of(1);
  options.budget.max_shrinks = 3;
  options.hints.example = verify::Point{{{"b", 4}, {"t", 64}}, {}, 99};
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_LE(result.totals.shrinks, 3);
  options.budget.max_shrinks = 500;
  options.budget.max_shrink_seconds = 0;
  EXPECT_EQ(run_campaign(setup.context, setup.parity, options).totals.shrinks, 0);
  options.budget.max_shrink_seconds = 100;
  CampaignResult free = run_campaign(setup.context, setup.parity, options);
  EXPECT_TRUE(free.failures[0].shrunk_fully);
  EXPECT_EQ(free.failures[0].key,
            failure_key(free.failures[0].smallest, free.failures[0].judgement));
  EXPECT_EQ(free.failures[0].smallest.point.sizes, (verify::Bindings{{"b", 1}, {"t", 1}}));
}

TEST(Campaign, AnInterruptEndsItBetweenCases) {
  int judged = 0;
  Trial setup(
      sequences, [&](const Case& c) { return ++judged, right(c); }, right);
  CampaignOptions options = budget_of(100);
  options.interrupted = [&] { return judged >= 5; };
  CampaignResult result = run_campaign(setup.context, setup.parity, options);
  EXPECT_EQ(result.totals.stopped_by, "interrupt");
  EXPECT_EQ(result.totals.cases, 5);
}

}  // namespace
}  // namespace assay::fuzz
