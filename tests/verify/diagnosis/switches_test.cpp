#include "verify/diagnosis/switches.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fake_model.h"

namespace assay::verify::diagnosis {
namespace {

const SourceLocation above{"model.py", 3, "forward"};
const SourceLocation below{"model.py", 7, "forward"};
const SourceLocation logged{"model.py", 9, "forward"};

/// A model whose gradient is 1 for each of its lines that switches nothing off, and 1; the export's
/// is that of a model that switches nothing off.
class Switching final : public Runner {
 public:
  explicit Switching(std::vector<SourceLocation> effective, std::vector<SourceLocation> idle = {})
      : effective_(std::move(effective)), idle_(std::move(idle)) {}
  Observation run(const Case&) override { return testing::gave({3}); }
  GradientFlow gradient_flow(const Case&, const FlowWish& wish) override {
    auto left = [&](const SourceLocation& line) {
      return std::ranges::any_of(wish.ignored, [&](const auto& l) { return l.line == line.line; });
    };
    GradientFlow flow;
    flow.kind = GradientFlow::Kind::values;
    flow.precision = 1e-7;
    double gradient = 1 + static_cast<double>(std::ranges::count_if(effective_, left));
    flow.values = {{"args[0]", {gradient}}};
    flow.switches = effective_;
    flow.switches.insert(flow.switches.begin(), idle_.begin(), idle_.end());
    return flow;
  }
  std::string name() const override { return "switching"; }

 private:
  std::vector<SourceLocation> effective_, idle_;
};

/// A model of whose gradients it is known only whether any end on the way: they do while one of its
/// effective lines switches them off.
class Ending final : public Runner {
 public:
  Observation run(const Case&) override { return testing::gave({3}); }
  GradientFlow gradient_flow(const Case&, const FlowWish& wish) override {
    GradientFlow flow;
    flow.kind = GradientFlow::Kind::values;
    flow.precision = 1e-7;
    auto left = [&](const SourceLocation& line) {
      return std::ranges::any_of(wish.ignored, [&](const auto& l) { return l.line == line.line; });
    };
    flow.values = {{"args[0]", {left(above) && left(below) ? 2.0 : 1.0}}};
    flow.switches = {above, below, logged};
    return flow;
  }
  std::string name() const override { return "ending"; }
};

/// Gives the gradient of a model without switches.
class Exported final : public Runner {
 public:
  explicit Exported(double gradient) : gradient_(gradient) {}
  Observation run(const Case&) override { return testing::gave({3}); }
  GradientFlow gradient_flow(const Case&, const FlowWish&) override {
    GradientFlow flow;
    flow.kind = GradientFlow::Kind::values;
    flow.values = {{"args[0]", {gradient_}}};
    return flow;
  }
  std::string name() const override { return "exported"; }

 private:
  double gradient_;
};

Finding placed(const std::shared_ptr<Runner>& model, double exported) {
  testing::Trial trial({{"input", "x: f32[3]"}}, nullptr, nullptr);
  trial.subject.runner = std::make_shared<Exported>(exported);
  trial.reference.runner = model;
  Finding finding;
  finding.smallest_case = build_case(trial.spec, {});
  place_switch(finding, trial.context);
  return finding;
}

TEST(Switches, AreTheCauseWhereTheExportsGradientsComeWithoutThem) {
  Finding found = placed(std::make_shared<Switching>(std::vector{below}, std::vector{above}), 2);
  EXPECT_EQ(found.cause.line, 7);
  EXPECT_EQ(found.cause.function, "forward");
  EXPECT_EQ(found.cause.proof, Proof::proven);
}

TEST(Switches, ThatActTogetherAreAllTold) {
  Finding found =
      placed(std::make_shared<Switching>(std::vector{above, below}, std::vector{logged}), 3);
  EXPECT_EQ(found.cause.line, 3);
  EXPECT_EQ(found.cause.proof, Proof::proven);
  EXPECT_EQ(found.evidence.notes,
            std::vector<std::string>{"gradients are switched off at model.py:7, too"});
}

TEST(Switches, ThatShowOnlyTogetherAreTriedTogether) {
  Finding found = placed(std::make_shared<Ending>(), 2);
  EXPECT_EQ(found.cause.line, 3);
  EXPECT_EQ(found.cause.proof, Proof::proven);
  EXPECT_EQ(found.evidence.notes,
            std::vector<std::string>{"gradients are switched off at model.py:7, too"});
  EXPECT_EQ(placed(std::make_shared<Ending>(), 5).cause.proof, Proof::none);
}

TEST(Switches, AreSupportedAtMostWhereTheyDoNotExplainAll) {
  Finding part = placed(std::make_shared<Switching>(std::vector{above}), 5);
  EXPECT_EQ(part.cause.line, 3);
  EXPECT_EQ(part.cause.proof, Proof::supported);
  Finding none = placed(std::make_shared<Switching>(std::vector<SourceLocation>{}), 5);
  EXPECT_EQ(none.cause.line, 0);
  EXPECT_EQ(none.cause.proof, Proof::none);
}

}  // namespace
}  // namespace assay::verify::diagnosis
