#include "verify/run/backed_runner.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::FakeRunner;
using testing::gave;
using testing::raised;

Observation lacks(const std::string& what) {
  Observation run;
  run.ending = Ending::not_run;
  run.failure = Failure{"unsupported", what, "run", {}, {}};
  return run;
}

class Backed : public ::testing::Test {
 protected:
  Case at(int64_t n) const {
    return build_case(spec_, *nearest_point(spec_, Point{{{"n", n}}, {}, 0}));
  }
  static int64_t size_of(const Observation& o) { return o.outputs.to_tensor().size(0); }

  Spec spec_ = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}});
  // The first runner lacks what cases of more than four elements need.
  std::shared_ptr<FakeRunner> first_ = std::make_shared<FakeRunner>([](const Case& c) {
    int64_t n = c.point.sizes.at("n");
    return n > 4 ? lacks("unknown operator aten::fft_rfft\nat model.py:3") : gave({n});
  });
  std::shared_ptr<FakeRunner> second_ = std::make_shared<FakeRunner>(
      [](const Case& c) { return gave({100 + c.point.sizes.at("n")}); });
  BackedRunner runner_{first_, second_};
};

TEST_F(Backed, RunsInTheFirstAsLongAsThatLacksNothing) {
  EXPECT_EQ(size_of(runner_.run(at(2))), 2);
  EXPECT_EQ(second_->runs, 0);
  EXPECT_EQ(runner_.remark(), "");
}

TEST_F(Backed, GoesOverToTheSecondForGood) {
  EXPECT_EQ(size_of(runner_.run(at(7))), 107);
  EXPECT_EQ(size_of(runner_.run(at(2))), 102);  // One runner for all cases that are compared.
  EXPECT_EQ(first_->runs, 1);
  EXPECT_EQ(runner_.remark(),
            "unknown operator aten::fft_rfft, which assay's engine lacks: fake runs the archive "
            "instead");
}

TEST_F(Backed, WhatTheProgramRaisesIsNoLack) {
  auto raises = std::make_shared<FakeRunner>([](const Case&) { return raised("no"); });
  BackedRunner runner(raises, second_);
  EXPECT_EQ(runner.run(at(3)).ending, Ending::raised);
  EXPECT_EQ(second_->runs, 0);
}

TEST_F(Backed, AllThatShareAHandoverGoOverAtOnce) {
  auto handover = std::make_shared<Handover>();
  BackedRunner one(first_, second_, handover), other(first_, second_, handover);
  EXPECT_EQ(size_of(one.run(at(2))), 2);
  EXPECT_EQ(one.remark(), "");
  handover->hand_over("assay's engine is wrong at x f32[3]");
  EXPECT_EQ(size_of(one.run(at(2))), 102);
  EXPECT_EQ(size_of(other.run(at(3))), 103);
  EXPECT_EQ(other.remark(), "assay's engine is wrong at x f32[3]: fake runs the archive instead");
  second_->refusal = "no device fake:0";
  EXPECT_EQ(one.cannot_run(at(2)), "no device fake:0");
}

/// Rounds its one element by a tenth for each draw.
class RoundingRunner final : public Runner {
 public:
  Observation run(const Case&) override { return gave({1}, 5); }
  std::optional<RoundedRun> run_rounded(const Case&, uint64_t draw) override {
    return RoundedRun{gave({1}, 5 + 0.1F * static_cast<float>(draw))};
  }
  std::string name() const override { return "rounding"; }
};

TEST_F(Backed, RoundingIsTheFirstRunnersBesideItsOwnRun) {
  auto handover = std::make_shared<Handover>();
  BackedRunner runner(std::make_shared<RoundingRunner>(), second_, handover);
  EXPECT_FALSE(runner.run_rounded(at(1), 2)->plain);
  handover->hand_over("it is wrong");
  auto moved = runner.run_rounded(at(1), 2);
  ASSERT_TRUE(moved && moved->plain);
  EXPECT_EQ(moved->plain->outputs.to_tensor().data<float>()[0], 5);
  EXPECT_EQ(moved->run.outputs.to_tensor().data<float>()[0], 5.2F);
  auto gone_over = verify::handed_over(std::make_shared<RoundingRunner>(), second_);
  EXPECT_EQ(size_of(gone_over->run(at(2))), 102);
  EXPECT_TRUE(gone_over->run_rounded(at(1), 2)->plain);
}

TEST_F(Backed, WhereNeitherCanTheFirstSaysWhy) {
  auto neither = std::make_shared<FakeRunner>([](const Case&) {
    Observation run = lacks("cannot load it");
    run.failure->type = "not_run";
    return run;
  });
  BackedRunner runner(first_, neither);
  EXPECT_EQ(runner.run(at(7)).failure->message, "unknown operator aten::fft_rfft\nat model.py:3");
  EXPECT_EQ(runner.remark(), "");
}

}  // namespace
}  // namespace assay::verify
