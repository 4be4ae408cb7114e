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

/// With cases of up to so many elements, of which these come back as they were judged.
JudgePool::Options looking_at(std::function<bool(const Case&)> wanted,
                              int64_t max_elements = 1000) {
  return {
      .hints = {}, .max_elements = max_elements, .looks_at = std::move(wanted), .interrupted = [] {
        return false;
      }};
}

bool every_case(const Case&) { return true; }
bool no_case(const Case&) { return false; }

/// Hands over what fits, takes one back, until all are judged.
std::vector<JudgedCase> judge_all(JudgePool& pool, std::vector<Case> cases) {
  std::vector<JudgedCase> judged;
  for (size_t next = 0; judged.size() < cases.size();) {
    for (; next < cases.size() && !pool.full(); ++next) {
      pool.hand_over(cases[next], static_cast<int64_t>(next) + 1);
    }
    judged.push_back(pool.take_back().last.value());
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
    JudgePool pool(setup.context, setup.parity, helpers, looking_at(every_case));
    auto judged = judge_all(pool, cases_of(setup.spec, 100));
    ASSERT_EQ(judged.size(), 100u);
    for (int64_t n = 0; n < 100; ++n) {
      const JudgedCase& one = judged[static_cast<size_t>(n)];
      EXPECT_EQ(one.tested->point.sizes.at("n"), n);
      EXPECT_EQ(one.judgements.at(0)->verdict, Judgement::Verdict::holds);
      EXPECT_EQ(one.judgements.at(0)->subject.outputs.to_tensor().sizes(), core::Dims{n});
    }
  }
  EXPECT_GT(helper_runner->runs, 0);
  EXPECT_GT(setup.subject_runner->runs, 100);
}

TEST_F(JudgePoolTest, PassesOverWhatDoesNotConcernACase) {
  Properties skipped{nullptr, setup.parity[0]};
  JudgePool pool(setup.context, skipped, {}, looking_at(every_case, 5));
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
  JudgePool pool(broken.context, broken.parity, {helper()}, looking_at(every_case));
  // Either thread may meet it; the helper's model is whole.
  for (const JudgedCase& one : judge_all(pool, cases_of(broken.spec, 6))) {
    bool at_three = one.tested->point.sizes.at("n") == 3;
    EXPECT_TRUE(!one.failed || at_three);
    EXPECT_EQ(one.failed == nullptr, one.judgements.size() == 1);
  }
}

TEST_F(JudgePoolTest, HoldsOneCaseWhereNobodyHelps) {
  JudgePool alone(setup.context, setup.parity, {}, looking_at(every_case));
  std::vector<Case> cases = cases_of(setup.spec, 2);
  EXPECT_FALSE(alone.full());
  alone.hand_over(cases[0], 1);
  EXPECT_TRUE(alone.full());
  EXPECT_EQ(setup.subject_runner->runs, 0);
  EXPECT_EQ(*alone.take_back().last->tested, cases[0]);
  EXPECT_EQ(alone.held(), 0);
}

/// The cases that take_back() gives until none is left, with how many were only counted.
std::pair<std::vector<JudgedCase>, Counts> take_all(JudgePool& pool, const Counts& none) {
  std::pair<std::vector<JudgedCase>, Counts> out{{}, none};
  while (pool.held() > 0) {
    Stretch& judged = pool.take_back();
    out.second.add(std::move(judged.counts));
    if (judged.last) out.first.push_back(*judged.last);
  }
  return out;
}

TEST_F(JudgePoolTest, GivesBackThoseCasesThatSomebodyLooksAtAndCountsTheOthers) {
  auto wanted = [](const Case& c) { return c.point.sizes.at("n") % 5 == 3; };
  for (std::vector<Helper> helpers : {std::vector<Helper>{}, std::vector<Helper>{helper()}}) {
    JudgePool pool(setup.context, setup.parity, helpers, looking_at(wanted));
    Counts all(setup.context, setup.parity);
    std::vector<int64_t> seen;
    for (int64_t n = 0; n < 40; ++n) {
      if (pool.full()) {
        auto [looked_at, counted] = take_all(pool, Counts(setup.context, setup.parity));
        for (const JudgedCase& one : looked_at) seen.push_back(one.tested->point.sizes.at("n"));
        all.add(std::move(counted));
      }
      pool.hand_over(cases_of(setup.spec, n + 1).back(), n + 1);
    }
    auto [looked_at, counted] = take_all(pool, Counts(setup.context, setup.parity));
    for (const JudgedCase& one : looked_at) seen.push_back(one.tested->point.sizes.at("n"));
    all.add(std::move(counted));
    EXPECT_EQ(seen, (std::vector<int64_t>{3, 8, 13, 18, 23, 28, 33, 38}));
    EXPECT_EQ(all.totals().cases, 32);
    EXPECT_EQ(all.exercised().at("n").count("8"), 0u);
    EXPECT_EQ(all.exercised().at("n").at("9"), 1);
    EXPECT_EQ(all.rows()[0].right.size(), max_right);
  }
}

TEST_F(JudgePoolTest, LooksAtWhatDoesNotHold) {
  Trial wrong{{{"input", "x: f32[n]"}, {"dim", "n=0..99"}},
              [](const Case& c) { return gave({std::min<int64_t>(c.point.sizes.at("n"), 2)}); },
              of_length};
  JudgePool pool(wrong.context, wrong.parity, {}, looking_at(no_case));
  std::vector<JudgedCase> looked_at;
  for (Case& c : cases_of(wrong.spec, 5)) {
    pool.hand_over(std::move(c), 1);
    for (JudgedCase& one : take_all(pool, Counts(wrong.context, wrong.parity)).first) {
      looked_at.push_back(std::move(one));
    }
  }
  ASSERT_EQ(looked_at.size(), 2u);
  EXPECT_EQ(looked_at[0].tested->point.sizes.at("n"), 3);
  EXPECT_EQ(looked_at[0].judgements.at(0)->verdict, Judgement::Verdict::violated);
}

TEST_F(JudgePoolTest, KeepsWhatWasThrownByTheDrawing) {
  Trial huge{{{"input", "x: f32[n]"}, {"dim", "n=1073741824"}}, slowly, of_length};
  JudgePool pool(huge.context, huge.parity, {helper()}, looking_at(no_case));
  pool.hand_over(Draw{rc::Random(1), 10}, 1);
  const Stretch& judged = pool.take_back();
  ASSERT_TRUE(judged.last.has_value());
  EXPECT_THROW(std::rethrow_exception(judged.last->failed), base::Error);
}

TEST_F(JudgePoolTest, EndsWhereTheSpecHasNoPoint) {
  Trial none{{{"input", "x: f32[n]"}, {"dim", "n=m-9"}, {"dim", "m=1..3"}}, slowly, of_length};
  JudgePool pool(none.context, none.parity, {}, looking_at(no_case));
  pool.hand_over(Draw{rc::Random(1), 10}, 1);
  Stretch& judged = pool.take_back();
  EXPECT_TRUE(judged.ends);
  EXPECT_EQ(judged.cases(), 0);
}

TEST_F(JudgePoolTest, HelpersWorkWhileTheCallerDoesNot) {
  JudgePool pool(setup.context, setup.parity, {helper()}, looking_at(every_case));
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
    JudgePool pool(setup.context, setup.parity, {slow}, looking_at(every_case));
    for (Case& c : cases_of(setup.spec, 4)) pool.hand_over(std::move(c), 1);
  }
  EXPECT_LT(runner->runs, 4);
}

}  // namespace
}  // namespace assay::fuzz
