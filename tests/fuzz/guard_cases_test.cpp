#include "fuzz/guard_cases.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using namespace verify;  // NOLINT: the test puts together what verify names.

/// An export that is nothing but what its trace noted.
struct Noted final : Export {
  explicit Noted(Origins noted) : origins_(std::move(noted)) {
    program_.graph = std::make_shared<ir::Graph>();
    program_.graph->add_input("x");
  }
  const Program& program() const override { return program_; }
  std::shared_ptr<Runner> run_with(std::shared_ptr<ir::Graph>) const override { return nullptr; }
  const Origins* origins() const override { return &origins_; }
  Origins origins_;
  Program program_;
};

/// A model with `if len(x) > 5` in line 2 and, in line 3, a condition on the values: whether they
/// are zeros.
std::shared_ptr<Noted> trace_at(const Case& c) {
  Origins noted;
  noted.guards.push_back({"x.size(0) > 5", c.point.sizes.at("n") > 5, {"net.py", 2, ""}});
  bool zeros = c.point.choices.at("value x") == "zeros";
  noted.guards.push_back({"any(x)", !zeros, {"net.py", 3, ""}});
  return std::make_shared<Noted>(noted);
}

struct Tracer final : Exporter {
  ExportResult export_at(const Case& c, bool) override {
    ++exports;
    return {trace_at(c), ""};
  }
  int exports = 0;
};

GuardCases cases_of(Exporter* exporter) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}, {"values", "x:normal,zeros"}});
  Hints hints;
  Case base = build_case(spec, *base_point(spec, hints, 0));
  return guard_cases(spec, *trace_at(base), exporter, hints, 0, [](double) { return false; });
}

TEST(GuardCases, each_condition_that_can_be_false_gets_a_case) {
  Tracer tracer;
  GuardCases cases = cases_of(&tracer);
  ASSERT_EQ(cases.report.conditions.size(), 2u);
  EXPECT_EQ(cases.report.conditions[0].condition, "n <= 5");
  ASSERT_EQ(cases.points.size(), 2u);
  EXPECT_GT(cases.points[0].sizes.at("n"), 5);
  EXPECT_EQ(cases.points[1].choices.at("value x"), "zeros");
  EXPECT_LE(tracer.exports, 16);
  EXPECT_FALSE(cases.report.for_all_sizes);
}

TEST(GuardCases, a_case_that_makes_several_conditions_false_is_one_case) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}, {"values", "x:normal,zeros"}});
  struct Twice final : Exporter {
    ExportResult export_at(const Case& c, bool) override {
      auto made = trace_at(c);
      auto& guards = made->origins_.guards;
      guards.push_back({"all(x)", guards[1].value, {"net.py", 4, ""}});
      return {made, ""};
    }
  } exporter;
  Hints hints;
  ExportResult base = exporter.export_at(build_case(spec, *base_point(spec, hints, 0)), false);
  GuardCases cases =
      guard_cases(spec, *base.exported, &exporter, hints, 0, [](double) { return false; });
  ASSERT_EQ(cases.report.conditions.size(), 3u);
  EXPECT_EQ(cases.points.size(), 2u);
  EXPECT_EQ(cases.report.conditions[1].point, cases.report.conditions[2].point);
  EXPECT_EQ(cases.report.conditions[1].otherwise, cases.report.conditions[2].otherwise);
}

TEST(GuardCases, without_further_exports_values_are_not_tried) {
  GuardCases cases = cases_of(nullptr);
  ASSERT_EQ(cases.points.size(), 1u);
  EXPECT_EQ(cases.report.conditions[1].outcome, "not tried: no export is at hand");
}

}  // namespace
}  // namespace assay::fuzz
