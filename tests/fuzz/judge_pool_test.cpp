#include "fuzz/judge_pool.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"
#include "tests/support/fake_model.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::Judgement;
using verify::testing::FakeRunner;
using verify::testing::gave;
using verify::testing::Trial;

verify::Observation of_length(const Case& c) { return gave({c.point.sizes.at("n")}); }

/// Slow enough for every thread to get some of the cases.
verify::Observation slowly(const Case& c) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return of_length(c);
}

std::vector<Case> cases_of(const verify::Spec& spec, int64_t count) {
  std::vector<Case> cases;
  for (int64_t n = 0; n < count; ++n) {
    cases.push_back(build_case(spec, *nearest_point(spec, verify::Point{{{"n", n}}, {}, 1})));
  }
  return cases;
}

/// Hands over what fits, takes one back, until all are judged.
std::vector<JudgedCase> judge_all(JudgePool& pool, std::vector<Case> cases) {
  std::vector<JudgedCase> judged;
  for (size_t next = 0; judged.size() < cases.size();) {
    for (; next < cases.size() && !pool.full(); ++next) {
      pool.hand_over(cases[next], static_cast<int64_t>(next) + 1);
    }
    judged.push_back(std::move(pool.take_back()));
  }
  return judged;
}

class JudgePoolTest : public ::testing::Test {
 protected:
  Helper helper() {
    Helper made{setup.subject, setup.reference};
    helper_runner = std::make_shared<FakeRunner>(slowly);
    made.subject.runner = helper_runner;
    made.reference.runner = std::make_shared<FakeRunner>(of_length);
    return made;
  }

  Trial setup{{{"input", "x: f32[n]"}, {"dim", "n=0..99"}}, slowly, of_length};
  std::shared_ptr<FakeRunner> helper_runner;
};

TEST_F(JudgePoolTest, GivesJudgementsInTheOrderOfTheCases) {
  for (std::vector<Helper> helpers : {std::vector<Helper>{}, std::vector<Helper>{helper()}}) {
    JudgePool pool(setup.context, setup.parity, helpers, 1000);
    auto judged = judge_all(pool, cases_of(setup.spec, 100));
    ASSERT_EQ(judged.size(), 100u);
    for (int64_t n = 0; n < 100; ++n) {
      const JudgedCase& one = judged[static_cast<size_t>(n)];
      EXPECT_EQ(one.tested.point.sizes.at("n"), n);
      EXPECT_EQ(one.judgements.at(0)->verdict, Judgement::Verdict::holds);
      EXPECT_EQ(one.judgements.at(0)->subject.outputs.to_tensor().sizes(), core::Dims{n});
    }
  }
  EXPECT_GT(helper_runner->runs, 0);
  EXPECT_GT(setup.subject_runner->runs, 100);
}

TEST_F(JudgePoolTest, PassesOverWhatDoesNotConcernACase) {
  JudgePool::Properties skipped{nullptr, setup.parity[0]};
  JudgePool pool(setup.context, skipped, {}, 5);
  auto judged = judge_all(pool, cases_of(setup.spec, 8));
  EXPECT_FALSE(judged[0].judgements.at(0).has_value());
  EXPECT_EQ(judged[5].judgements.at(1)->verdict, Judgement::Verdict::holds);
  EXPECT_EQ(judged[6].judgements.at(1)->reason, "larger than 5 elements");
}

TEST_F(JudgePoolTest, KeepsWhatWasThrownWithItsCase) {
  Trial broken{{{"input", "x: f32[n]"}, {"dim", "n=0..99"}},
               [](const Case& c) -> verify::Observation {
                 if (c.point.sizes.at("n") == 3) base::unreachable("broken");
                 return of_length(c);
               },
               of_length};
  JudgePool pool(broken.context, broken.parity, {helper()}, 1000);
  // Either thread may meet it; the helper's model is whole.
  for (const JudgedCase& one : judge_all(pool, cases_of(broken.spec, 6))) {
    bool at_three = one.tested.point.sizes.at("n") == 3;
    EXPECT_TRUE(!one.failed || at_three);
    EXPECT_EQ(one.failed == nullptr, one.judgements.size() == 1);
  }
}

TEST_F(JudgePoolTest, HoldsOneCaseWhereNobodyHelps) {
  JudgePool alone(setup.context, setup.parity, {}, 1000);
  std::vector<Case> cases = cases_of(setup.spec, 2);
  EXPECT_FALSE(alone.full());
  alone.hand_over(cases[0], 1);
  EXPECT_TRUE(alone.full());
  EXPECT_EQ(setup.subject_runner->runs, 0);
  EXPECT_EQ(alone.take_back().tested, cases[0]);
  EXPECT_EQ(alone.held(), 0);
}

TEST_F(JudgePoolTest, HelpersWorkWhileTheCallerDoesNot) {
  JudgePool pool(setup.context, setup.parity, {helper()}, 1000);
  for (Case& c : cases_of(setup.spec, 4)) pool.hand_over(std::move(c), 1);
  while (helper_runner->runs < 4) std::this_thread::yield();
  EXPECT_EQ(setup.subject_runner->runs, 0);
}

TEST_F(JudgePoolTest, DropsWhatNobodyHasBegun) {
  Helper slow = helper();
  auto runner = std::make_shared<FakeRunner>([](const Case& c) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return of_length(c);
  });
  slow.subject.runner = runner;
  {
    JudgePool pool(setup.context, setup.parity, {slow}, 1000);
    for (Case& c : cases_of(setup.spec, 4)) pool.hand_over(std::move(c), 1);
  }
  EXPECT_LT(runner->runs, 4);
}

}  // namespace
}  // namespace assay::fuzz
