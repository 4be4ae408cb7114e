#include "verify/diagnosis/repair.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using verify::testing::graph_export;
using verify::testing::graph_text;
using verify::testing::GraphExport;
using verify::testing::GraphExporter;

/// What a trace at n elements records of two branches and a captured size:
///
///   3  r = relu(x)
///   5  if n > 4: r = r * r
///   8  if n > 8: r = -r
///   9  return r + n
std::string traced(int64_t n) {
  std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                 "%n : int = prim::Constant[value=" + std::to_string(n) + "]()",
                                 "%r : Tensor = aten::relu(%x) # model.py:3:4"};
  std::string last = "%r";
  if (n > 4) {
    lines.push_back("%square : Tensor = aten::mul(%r, %r) # model.py:5:8");
    last = "%square";
  }
  if (n > 8) {
    lines.push_back("%negative : Tensor = aten::neg(" + last + ") # model.py:8:8");
    last = "%negative";
  }
  lines.push_back("%sum : Tensor = aten::add(" + last + ", %n, %one) # model.py:9:4");
  return graph_text(lines, "%sum");
}

Exchange exchange_at_line(int line, const std::shared_ptr<const GraphExport>& subject,
                          const std::shared_ptr<const GraphExport>& other) {
  Exchange out{subject, other, align(subject->program(), other->program()), {}};
  for (size_t i = 0; i < out.alignment.differences.size(); ++i) {
    const GraphDifference& d = out.alignment.differences[i];
    bool structure = d.kind == GraphDifference::Kind::structure;
    int at = structure ? other->program().steps[d.begin_b].line
                       : subject->program().steps[d.step_a].line;
    if (at == line) out.exchanged.push_back(i);
  }
  return out;
}

std::vector<std::string> operators(const ir::Graph& graph) {
  std::vector<std::string> out;
  for (const Step& step : flatten(graph.copy()).steps) {
    if (step.op != "}") out.push_back(step.op);
  }
  return out;
}

TEST(Repair, BringsOneBranchAndLeavesTheRestAsItWas) {
  auto subject = graph_export(traced(3)), other = graph_export(traced(6));
  Exchange e = exchange_at_line(5, subject, other);
  ASSERT_TRUE(takes_steps(e));
  auto graph = exchanged_graph(e, core::Device{});
  ASSERT_TRUE(graph);
  EXPECT_EQ(operators(*graph), (std::vector<std::string>{"aten::relu", "aten::mul", "aten::add"}));
}

TEST(Repair, ElsewhereItTakesWhatAnExportThereHasAtTheSameLinesAlone) {
  auto subject = graph_export(traced(3)), other = graph_export(traced(6));
  Exchange e = exchange_at_line(5, subject, other);
  // At 12 elements both branches are taken: their steps are one run of the alignment.
  auto further = graph_export(traced(12));
  Alignment alignment = align(subject->program(), further->program());
  Exchange there{subject, further, alignment, {}};
  there.exchanged = cut_to_places({e}, further->program(), there.alignment);
  for (size_t i : there.exchanged) {
    const GraphDifference& d = there.alignment.differences[i];
    if (d.kind != GraphDifference::Kind::structure) continue;
    EXPECT_EQ(d.end_b - d.begin_b, 1u);
    EXPECT_EQ(further->program().steps[d.begin_b].line, 5);
  }
  auto graph = exchanged_graph(there, core::Device{});
  ASSERT_TRUE(graph);
  EXPECT_EQ(operators(*graph), (std::vector<std::string>{"aten::relu", "aten::mul", "aten::add"}));
}

TEST(Repair, WhereAnExportHasNothingElseThereTheSubjectStaysAsItIs) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..16"}});
  Case four = build_case(spec, *nearest_point(spec, Point{{{"n", 4}}, {}, 0}));
  auto subject = graph_export(traced(3)), other = graph_export(traced(6));
  GraphExporter exporter([](const Case& c) { return traced(c.point.sizes.at("n")); });
  int64_t judged = 0;
  // Right is what the subject gives: its own branch holds, the other export's does not.
  JudgeRunner judge = [&](const std::shared_ptr<Runner>& runner, const Case& c) {
    ++judged;
    Judgement out;
    out.subject = runner->run(c);
    out.reference = subject->runner()->run(c);
    out.comparison = compare(out.subject, out.reference, {});
    out.verdict = out.comparison.verdict == Comparison::Verdict::agree
                      ? Judgement::Verdict::holds
                      : Judgement::Verdict::violated;
    return out;
  };
  Exchange e = exchange_at_line(5, subject, other);
  EXPECT_EQ(repair_by(e, judge)(four).verdict, Judgement::Verdict::violated);
  EXPECT_EQ(exporter.exports, 0);
  EXPECT_EQ(repair_by(e, judge, exporter)(four).verdict, Judgement::Verdict::holds);
  EXPECT_EQ(exporter.exports, 1);
  EXPECT_EQ(judged, 3);
}

}  // namespace
}  // namespace assay::verify::diagnosis
