#include "fuzz/seeds.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::testing::gave;

/// A model that adds a drawn number in training; its export has the one of seed 0.
struct Drawing {
  SessionRequest request;

  Drawing() {
    request.spec =
        verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}, {"modes", "eval,train"}});
    request.exported = verify::testing::graph_export(
        verify::testing::graph_text({"%y : Tensor = aten::relu(%x) # model.py:3:4"}, "%y"));
    request.subject.runner = std::make_shared<verify::testing::FakeRunner>(
        [](const Case& c) { return gave({c.point.sizes.at("n")}, 3); });
    request.reference.runner = std::make_shared<verify::testing::FakeRunner>([](const Case& c) {
      bool other = c.setting("mode") == "train" && c.setting("seed") != "0";
      return gave({c.point.sizes.at("n")}, other ? 4 : 3);
    });
    request.properties = {std::make_shared<verify::Parity>()};
    request.campaign.budget.max_examples = 40;
  }
};

TEST(Seeds, AModelThatDrawsIsAskedAtTwoSeeds) {
  Drawing drawing;
  EXPECT_TRUE(draws(drawing.request));
  verify::RunReport report = run_session(drawing.request);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].smallest_case->setting("seed"), "1");
  EXPECT_EQ(report.gate.exit_code, verify::exit_failed);
}

TEST(Seeds, WhatTheSpecSaysStands) {
  Drawing drawing;
  drawing.request.spec.seeds = {0, 0};
  EXPECT_FALSE(draws(drawing.request));
  EXPECT_EQ(run_session(drawing.request).gate.exit_code, verify::exit_passed);
}

TEST(Seeds, AModelThatDrawsNothingIsAskedAtOne) {
  Drawing drawing;
  drawing.request.spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}});
  EXPECT_FALSE(draws(drawing.request));
}

}  // namespace
}  // namespace assay::fuzz
