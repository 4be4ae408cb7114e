#include "fuzz/generate/drawing.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::Spec;
using verify::testing::FakeRunner;
using verify::testing::gave;

Spec spec(const std::string& modes) {
  return verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}, {"modes", modes}});
}

/// Gives the seed in training, plus what is drawn past it.
float answer(const Case& c, float past = 0) {
  bool draws = c.setting("mode") == "train" && c.setting("seed") != "0";
  return (draws ? 4.0F : 3.0F) + past;
}

TEST(Drawing, ShowsAtAnotherSeedInTheModeThatDraws) {
  FakeRunner model([](const Case& c) { return gave({c.point.sizes.at("n")}, answer(c)); });
  EXPECT_EQ(mode_that_draws(model, spec("eval,train"), 0), "train");
  EXPECT_FALSE(mode_that_draws(model, spec("eval"), 0));
}

TEST(Drawing, IsNotWhatNoSeedRules) {
  float past = 0;
  FakeRunner model([&](const Case& c) { return gave({c.point.sizes.at("n")}, answer(c, ++past)); });
  EXPECT_FALSE(mode_that_draws(model, spec("train"), 0));
}

TEST(Drawing, NeedsACaseThatTheModelAccepts) {
  FakeRunner model([](const Case&) { return verify::testing::raised("no"); });
  EXPECT_FALSE(mode_that_draws(model, spec("train"), 0));
}

}  // namespace
}  // namespace assay::fuzz
