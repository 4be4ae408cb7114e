#include "verify/run/recalling_runner.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::FakeRunner;
using testing::gave;

/// A model that gives another size in each run.
class Recalling : public ::testing::Test {
 protected:
  Case at(int64_t n) const {
    return build_case(spec_, *nearest_point(spec_, Point{{{"n", n}}, {}, 0}));
  }
  int64_t size_at(int64_t n) { return runner_.run(at(n)).outputs.to_tensor().size(0) - 10 * n; }

  Spec spec_ = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}});
  int64_t runs_ = 0;
  std::shared_ptr<FakeRunner> model_ = std::make_shared<FakeRunner>(
      [this](const Case& c) { return gave({10 * c.point.sizes.at("n") + ++runs_}); });
  RecallingRunner runner_{model_};
};

TEST_F(Recalling, RunsWhatIsAskedInARowEachTimeUntilItIsToldToRecall) {
  for (int64_t k = 1; k <= 4; ++k) EXPECT_EQ(size_at(3), k);
  EXPECT_EQ(model_->runs, 4);
  runner_.recall();
  size_at(3);
  EXPECT_EQ(model_->runs, 4);
}

TEST_F(Recalling, ACampaignRunsACaseTwiceBeforeItRecalls) {
  EXPECT_EQ(size_at(3), 1);
  EXPECT_EQ(size_at(4), 2);
  EXPECT_EQ(size_at(3), 3);
  EXPECT_EQ(size_at(4), 4);
  EXPECT_EQ(size_at(3), 3);
  EXPECT_EQ(size_at(3), 5);
  EXPECT_EQ(size_at(4), 4);
  EXPECT_EQ(model_->runs, 5);
}

TEST_F(Recalling, ACampaignRemembersNothingOfAModelInThisProcess) {
  model_->in_process = true;
  for (int64_t k = 1; k <= 5; ++k) {
    EXPECT_EQ(size_at(3), 2 * k - 1);
    EXPECT_EQ(size_at(4), 2 * k);
  }
  runner_.recall();
  EXPECT_EQ(size_at(3), 11);
  EXPECT_EQ(size_at(4), 12);
  EXPECT_EQ(size_at(3), 11);
}

TEST_F(Recalling, ThenGivesAgainWhatItGaveBeforeAndSince) {
  EXPECT_EQ(size_at(3), 1);
  runner_.recall();
  EXPECT_EQ(size_at(4), 2);
  EXPECT_EQ(size_at(5), 3);
  EXPECT_EQ(size_at(3), 1);
  EXPECT_EQ(size_at(4), 2);
  EXPECT_EQ(model_->runs, 3);
}

TEST_F(Recalling, OfARunThatWasMadeAgainTheLastTwoCount) {
  EXPECT_EQ(size_at(3), 1);
  EXPECT_EQ(size_at(3), 2);
  EXPECT_EQ(size_at(3), 3);
  EXPECT_EQ(size_at(4), 4);
  runner_.recall();
  EXPECT_EQ(size_at(3), 3);
  EXPECT_EQ(size_at(3), 2);
  EXPECT_EQ(model_->runs, 4);
}

TEST_F(Recalling, WhoAsksTwiceInARowGetsTwoRuns) {
  runner_.recall();
  EXPECT_EQ(size_at(3), 1);
  EXPECT_EQ(size_at(3), 2);  // A model that differs from itself is still seen to do so.
  EXPECT_EQ(size_at(4), 3);
  EXPECT_EQ(size_at(3), 1);
  EXPECT_EQ(size_at(3), 2);
  EXPECT_EQ(model_->runs, 3);
}

TEST_F(Recalling, CasesDifferInMoreThanSizes) {
  runner_.recall();
  EXPECT_EQ(size_at(3), 1);
  Case other = at(3);
  other.point.choices["seed"] = "1";
  EXPECT_EQ(runner_.run(other).outputs.to_tensor().size(0), 32);
}

TEST_F(Recalling, GivenArgumentsAreRunEachTime) {
  runner_.recall();
  Case given = at(3);
  given.given = std::make_shared<const Call>(materialize(given));
  runner_.run(given);
  runner_.run(given);
  runner_.run(given);
  EXPECT_EQ(model_->runs, 3);
}

TEST_F(Recalling, LargeRunsAreNotHoarded) {
  auto large = std::make_shared<FakeRunner>([](const Case&) {
    Observation run = gave({1});
    run.outputs = core::Tensor::empty(core::Dims{int64_t{20} << 20}, core::DType::float32);
    return run;
  });
  RecallingRunner runner(large);
  runner.recall();
  runner.run(at(3));
  runner.run(at(4));
  runner.run(at(3));
  EXPECT_EQ(large->runs, 3);
}

}  // namespace
}  // namespace assay::verify
