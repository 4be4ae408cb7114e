#include "verify/properties/judging.h"

#include <gtest/gtest.h>

#include "engine/core/elements.h"
#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using testing::gave;
using testing::raised;

/// Counts how often a rounded run is asked for; each draw moves the result by `step` more.
struct Rounded {
  float step;
  int asked = 0;
  std::optional<RoundedRun> operator()(uint64_t draw) {
    ++asked;
    return RoundedRun{gave({2}, 1 + step * static_cast<float>(draw))};
  }
};

TEST(CompareAdjudicated, AsksForNoMoreRunsThanItNeeds) {
  Rounded rounded{0.25};
  Comparison none = compare_adjudicated(gave({2}), gave({2}), {}, std::ref(rounded));
  EXPECT_TRUE(none.agrees());
  EXPECT_EQ(rounded.asked, 0);
  Comparison near = compare_adjudicated(gave({2}), gave({2}, 1.5), {}, std::ref(rounded));
  EXPECT_TRUE(near.agrees());
  EXPECT_EQ(near.adjudicated(), 2);
  EXPECT_EQ(rounded.asked, 1);
}

TEST(CompareAdjudicated, WhatAFewRunsDoNotExplainIsADifference) {
  auto asked = [](float step, float wrong) {
    Rounded rounded{step};
    Comparison c = compare_adjudicated(gave({2}), gave({2}, wrong), {}, std::ref(rounded));
    EXPECT_EQ(c.verdict, Comparison::Verdict::differ);
    return rounded.asked;
  };
  // The farther off, the fewer runs say so; of one in a million each.
  EXPECT_EQ(asked(1e-6F, 2), 2);
  EXPECT_EQ(asked(0.25, 1000), 3);
  EXPECT_EQ(asked(0.25, 200), 4);
  EXPECT_EQ(asked(0.25, 61), 6);
  EXPECT_EQ(asked(0.01F, 2.5F), 24);  // Nearly explained: they might.
}

TEST(CompareAdjudicated, RoundingExplainsNoShapeAndNoEnding) {
  Rounded rounded{1};
  EXPECT_FALSE(compare_adjudicated(gave({2}), gave({3}), {}, std::ref(rounded)).agrees());
  EXPECT_FALSE(compare_adjudicated(gave({2}), raised("no"), {}, std::ref(rounded)).agrees());
  EXPECT_EQ(rounded.asked, 0);
}

TEST(CompareAdjudicated, StateThatIsLostIsNoReasonForOtherValues) {
  Rounded rounded{0.25};
  Observation changed = gave({2}, 1.5);
  changed.state.push_back({"level", StateChange::Kind::buffer, false, core::Value(int64_t{1})});
  Comparison c = compare_adjudicated(gave({2}), changed, {}, std::ref(rounded));
  EXPECT_FALSE(c.agrees());
  ASSERT_EQ(c.differences.size(), 1u);
  EXPECT_EQ(c.differences[0].layer, Layer::state);
}

TEST(CompareAdjudicated, WhatRoundingMovedIsHeldAgainstTheRunThatItMoved) {
  // Another runner's elements are 4 away, and rounding moves them by a tenth.
  auto elsewhere = [](uint64_t) { return RoundedRun{gave({2}, 5.1F), gave({2}, 5)}; };
  EXPECT_FALSE(compare_adjudicated(gave({2}), gave({2}, 2), {}, elsewhere).agrees());
  EXPECT_TRUE(compare_adjudicated(gave({2}), gave({2}, 1.3F), {}, elsewhere).agrees());
}

TEST(CompareAdjudicated, ARunnerThatCannotRoundExplainsNothing) {
  auto cannot = [](uint64_t) { return std::optional<RoundedRun>(); };
  EXPECT_FALSE(compare_adjudicated(gave({2}), gave({2}, 1.5), {}, cannot).agrees());
}

/// What is made of an excuse where the model gives max(x, x), and an export at the case does this.
Comparison doubted(const std::string& op, bool has_exporter = true) {
  auto graph = [](const std::string& name) {
    return testing::graph_text({"%y : Tensor = aten::" + name + "(%x, %x)"}, "%y");
  };
  Spec spec = parse_spec({{"input", "x: f32[2] in 1.0..2.0"}});
  Case c = build_case(spec, *nearest_point(spec, Point{}));
  Observation expected = testing::graph_export(graph("maximum"))->runner()->run(c);
  Observation given = gave({2}, 7);
  Comparison excused = compare_adjudicated(
      given, expected, {}, [](uint64_t) { return std::optional(RoundedRun{gave({2}, 70)}); });
  EXPECT_TRUE(excused.agrees());
  EXPECT_EQ(excused.adjudicated(), 2);
  testing::GraphExporter exporter([&](const Case&) { return graph(op); });
  PropertyContext context;
  if (has_exporter) context.exporter = &exporter;
  return doubt_excuse(std::move(excused), given, expected, context, c);
}

TEST(DoubtExcuse, RoundingExcusesNoMoreThanItMovesTheModelsOwnExport) {
  // Nothing moves what an export there gives, and that is what was expected.
  EXPECT_EQ(doubted("maximum").verdict, Comparison::Verdict::differ);
}

TEST(DoubtExcuse, StandsWhereNoExportGivesWhatWasExpected) {
  EXPECT_TRUE(doubted("atan2").agrees());
  EXPECT_TRUE(doubted("maximum", false).agrees());
}

/// Outputs in double precision that are apart by this much, which rounding within is said to make.
Comparison doubted_in_double(double apart) {
  auto graph = testing::graph_text({"%y : Tensor = aten::maximum(%x, %x)"}, "%y");
  Spec spec = parse_spec({{"input", "x: f64[2] in 1.0..2.0"}});
  Case c = build_case(spec, *nearest_point(spec, Point{}));
  Observation expected = testing::graph_export(graph)->runner()->run(c);
  auto moved_by = [&](double by) {
    Observation out = expected;
    std::vector<core::Scalar> items = core::elements(expected.outputs.to_tensor());
    for (core::Scalar& item : items) item = item.to_double() + by;
    out.outputs = core::tensor_from(items, core::Dims{2}, core::DType::float64);
    return out;
  };
  Observation given = moved_by(apart);
  Comparison excused = compare_adjudicated(given, expected, {}, [&](uint64_t) {
    return std::optional(RoundedRun{moved_by(10 * apart)});
  });
  EXPECT_EQ(excused.adjudicated(), 2);
  testing::GraphExporter exporter([&](const Case&) { return graph; });
  PropertyContext context;
  context.exporter = &exporter;
  return doubt_excuse(std::move(excused), given, expected, context, c);
}

TEST(DoubtExcuse, OfDoublesThatOnlySinglePrecisionCouldMakeIsAskedToo) {
  EXPECT_EQ(doubted_in_double(1e-8).verdict, Comparison::Verdict::differ);
  EXPECT_TRUE(doubted_in_double(1e-13).agrees());
}

TEST(RoundingExcuses, NothingThatASubjectOfFewerBitsDoesOutsideOfAutocast) {
  testing::Trial trial({{"input", "x: f32[3]"}, {"autocast", "off,on"}}, nullptr, nullptr);
  Point plain, cast;
  cast.choices["autocast"] = "on";
  EXPECT_TRUE(rounding_excuses(trial.subject, build_case(trial.spec, plain)));
  trial.subject.narrower = true;
  EXPECT_FALSE(rounding_excuses(trial.subject, build_case(trial.spec, plain)));
  EXPECT_TRUE(rounding_excuses(trial.subject, build_case(trial.spec, cast)));
}

}  // namespace
}  // namespace assay::verify
