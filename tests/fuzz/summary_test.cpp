#include "fuzz/summary.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"

namespace assay::fuzz {
namespace {

using verify::AxisReport;
using verify::Case;
using verify::RunReport;
using verify::testing::graph_export;
using verify::testing::graph_text;
using verify::testing::GraphExporter;

/// A column of x: its two sizes are literals of every export.
std::string column() {
  return graph_text(
      {"%all : int = prim::Constant[value=-1]()", "%one : int = prim::Constant[value=1]()",
       "%s : int[] = prim::ListConstruct(%all, %one)", "%y : Tensor = aten::view(%x, %s)"},
      "%y");
}

/// A run of one graph against itself.
RunReport run(const std::string& text, const std::vector<verify::SpecPiece>& more,
              verify::Exporter* exporter = nullptr, int64_t examples = 60) {
  SessionRequest request;
  std::vector<verify::SpecPiece> pieces{{"input", "x: f32[n]"}};
  pieces.insert(pieces.end(), more.begin(), more.end());
  request.spec = verify::parse_spec(pieces);
  auto exported = graph_export(text);
  request.exported = exported;
  request.subject.runner = exported->runner();
  request.reference.runner = graph_export(text)->runner();
  request.exporter = exporter;
  request.properties = {std::make_shared<verify::Parity>()};
  request.campaign.budget.max_examples = examples;
  return run_session(request);
}

const AxisReport& axis(const RunReport& r, const std::string& text) {
  for (const AxisReport& a : r.axes) {
    if (a.axis.text() == text) return a;
  }
  throw std::runtime_error("no axis " + text);
}

TEST(Summary, TellsWhatWasDeclaredTriedAndHeldFixed) {
  RunReport r = run(column(), {{"dim", "n=1..40"}, {"values", "normal,zeros"}});
  const AxisReport& n = axis(r, "dim x.0 (n)");
  EXPECT_EQ(n.declared, "1..40");
  EXPECT_EQ(n.verdict, "right");
  EXPECT_EQ(n.comparisons, 60);
  EXPECT_EQ(n.exercised.rfind("1, 2, 3", 0), 0u) << n.exercised;  // As numbers, not as words.
  EXPECT_TRUE(n.exercised.ends_with(", 40")) << n.exercised;
  EXPECT_EQ(axis(r, "mode").verdict, "not varied");
  EXPECT_EQ(axis(r, "mode").exercised, "eval");
  EXPECT_EQ(axis(r, "value x").verdict, "right");
  EXPECT_EQ(axis(r, "value x").exercised, "normal, zeros");
}

TEST(Summary, TheNumberOfDimensionsOfAPackIsAnAxis) {
  SessionRequest request;
  request.spec = verify::parse_spec({{"input", "x: f32[*rest, 2]"}, {"ranks", "rest=0..2"}});
  auto relu = graph_export(graph_text({"%y : Tensor = aten::relu(%x)"}, "%y"));
  request.exported = relu;
  request.subject.runner = relu->runner();
  request.reference.runner = relu->runner();
  request.properties = {std::make_shared<verify::Parity>()};
  const RunReport r = run_session(request);
  const AxisReport& rank = axis(r, "rank x (*rest)");
  EXPECT_EQ(rank.declared, "0..2");
  EXPECT_EQ(rank.exercised, "0, 1, 2");
  EXPECT_EQ(rank.verdict, "right");
}

TEST(Summary, WhatWasNeverComparedIsNotTested) {
  // A view of -1 rows fails at no size; one of seven elements as [2, -1] does everywhere.
  std::string uneven = graph_text(
      {"%all : int = prim::Constant[value=-1]()", "%two : int = prim::Constant[value=2]()",
       "%s : int[] = prim::ListConstruct(%two, %all)", "%y : Tensor = aten::view(%x, %s)"},
      "%y");
  RunReport r = run(uneven, {{"dim", "n=7"}}, nullptr, 5);
  EXPECT_EQ(axis(r, "dim x.0 (n)").verdict, "not tested");
  EXPECT_EQ(axis(r, "dim x.0 (n)").exercised, "");
  EXPECT_EQ(r.benign.at("AS902"), 5);  // Both sides reject.
  EXPECT_GT(r.benign.at("AS904"), 0);
}

TEST(Summary, LiteralsThatEveryExportHasAreBenign) {
  GraphExporter exporter([](const Case&) { return column(); });
  RunReport r = run(column(), {{"dim", "n=1..9"}}, &exporter);
  EXPECT_TRUE(r.gate.passed);
  EXPECT_EQ(r.benign.at("AS901"), 2);  // -1 and 1.
  EXPECT_EQ(r.benign.count("AS903"), 0u);
}

TEST(Summary, ExportsThatDifferInFormOnlyAreBenign) {
  GraphExporter exporter([](const Case& c) {
    std::string more = "  %z : Tensor = aten::neg(%y)\n  %w : Tensor = aten::neg(%z)\n";
    std::string text = column();
    if (c.point.sizes.at("n") % 2 == 0) return text;
    return text.substr(0, text.find("  return")) + more + "  return (%w)\n";
  });
  RunReport r = run(column(), {{"dim", "n=1..9"}}, &exporter);
  EXPECT_TRUE(r.gate.passed);
  EXPECT_GT(r.benign.at("AS903"), 0);
}

TEST(Summary, ATraceThatNotedNothingIsNotValidWhereAFindingSaysOtherwise) {
  auto sentence = [](bool for_all_sizes, const std::string& axis) {
    SessionRequest request;
    request.spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}});
    RunReport report;
    report.guards.traced = true;
    report.guards.for_all_sizes = for_all_sizes;
    report.guards.sentence = "valid somewhere";
    if (!axis.empty()) report.findings.emplace_back().axis.kind = axis;
    summarize(
        request, {}, {}, [] { return false; }, report);
    return report.guards.sentence;
  };
  EXPECT_EQ(sentence(true, "dim"),
            "valid somewhere, but wrong at some: it noted nothing of what is found there");
  EXPECT_EQ(sentence(true, "value"), "valid somewhere");
  EXPECT_EQ(sentence(true, ""), "valid somewhere");
  EXPECT_EQ(sentence(false, "dim"), "valid somewhere");
}

}  // namespace
}  // namespace assay::fuzz
