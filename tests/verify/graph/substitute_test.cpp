#include "verify/graph/substitute.h"

#include <gtest/gtest.h>

#include "engine/ir/printer.h"
#include "engine/ir/verify.h"
#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using testing::arange_graph;
using testing::graph_export;
using testing::graph_text;
using testing::GraphRunner;

const Spec rows = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=0..64"}});

/// The shape that a graph gives at a size; {-1} where it raises.
core::Dims shape_at(const std::shared_ptr<ir::Graph>& graph, int64_t n) {
  ir::ensure_valid(*graph, "after a substitution");
  GraphRunner runner(graph);
  Observation o = runner.run(build_case(rows, *nearest_point(rows, Point{{{"n", n}}, {}, 0})));
  return o.ending == Ending::returned ? o.outputs.to_tensor().sizes() : core::Dims{-1};
}

size_t step_named(const Program& p, const std::string& op) {
  for (size_t i = 0; i < p.steps.size(); ++i) {
    if (p.steps[i].op == op) return i;
  }
  return p.steps.size();
}

TEST(SizeSources, AreLettersThatStandAloneInPositionalTensors) {
  Spec spec = parse_spec({{"input", "x: f32[b, 3, 2*h, w]"},
                          {"input", "m: bool[b, k]?"},
                          {"input", "r: f32[*rest, q]"},
                          {"input", "y: f32[h]"},
                          {"input", "z= f32[w]"},
                          {"dim", "b=1..4"},
                          {"dim", "h=1..4"},
                          {"dim", "w=1..4"},
                          {"dim", "k=1..4"},
                          {"dim", "q=1..4"}});
  auto sources = size_sources(spec);
  EXPECT_EQ(sources.at("b").graph_input, 1u);  // `self` is the first input.
  EXPECT_EQ(sources.at("b").dim, 0);
  EXPECT_EQ(sources.at("w").dim, 3);
  EXPECT_EQ(sources.at("h").graph_input, 4u);  // 2*h is not h.
  EXPECT_EQ(sources.count("k"), 0u);           // May be None.
  EXPECT_EQ(sources.count("q"), 0u);           // Its position depends on the rank.
}

TEST(SizeSources, StepOverNumbersAndIntoNamedTuples) {
  Spec spec = parse_spec({{"input", "n: 3"},
                          {"input", "batch: Batch(x: f32[b], mode: \"sum\", y: f32[h])"},
                          {"input", "z: f32[w]"},
                          {"dim", "b=1..4"},
                          {"dim", "h=1..4"},
                          {"dim", "w=1..4"}});
  auto sources = size_sources(spec);
  EXPECT_EQ(sources.at("b").graph_input, 1u);
  EXPECT_EQ(sources.at("h").graph_input, 2u);
  EXPECT_EQ(sources.at("w").graph_input, 3u);
}

TEST(Substitute, ALiteralByAnother) {
  auto made = graph_export(arange_graph(7));
  size_t arange = step_named(made->program(), "aten::arange");
  auto graph = substitute(made->program(), {{arange, 0, core::Value(5)}}, {});
  EXPECT_EQ(shape_at(graph, 5), core::Dims{5});
  EXPECT_EQ(shape_at(graph, 7), core::Dims{-1});
  EXPECT_EQ(shape_at(made->program().graph->copy(), 7), core::Dims{7});  // The original is whole.
}

TEST(Substitute, ALiteralByASizeAndArithmetic) {
  auto made = graph_export(arange_graph(7));
  size_t arange = step_named(made->program(), "aten::arange");
  SizeFit itself{{{"n", 0, 1}}, 1, 0};
  auto graph = substitute(made->program(), {{arange, 0, itself}}, size_sources(rows));
  for (int64_t n : {0, 1, 5, 64}) EXPECT_EQ(shape_at(graph, n), core::Dims{n});
  SizeFit half_up{{{"n", 1, 2}}, 2, -1};  // 2 * ((n + 1) // 2) - 1
  graph = substitute(made->program(), {{arange, 0, half_up}}, size_sources(rows));
  EXPECT_EQ(shape_at(graph, 7), core::Dims{7});
  EXPECT_EQ(shape_at(graph, 5), core::Dims{5});
  EXPECT_EQ(shape_at(graph, 6), core::Dims{-1});  // 5 numbers for 6 elements.
}

TEST(Substitute, ALiteralByASizeRoundedUpToAPowerOfTwo) {
  auto made = graph_export(arange_graph(7));
  size_t arange = step_named(made->program(), "aten::arange");
  SizeFit padded{{{"n", 0, 1, true}}, 1, 0};
  auto graph = substitute(made->program(), {{arange, 0, padded}}, size_sources(rows));
  for (int64_t n : {1, 2, 4, 8, 64}) EXPECT_EQ(shape_at(graph, n), core::Dims{n});
  for (int64_t n : {3, 5, 9, 63}) EXPECT_EQ(shape_at(graph, n), core::Dims{-1});
}

TEST(Substitute, WantsASourceForEveryLetter) {
  auto made = graph_export(arange_graph(7));
  size_t arange = step_named(made->program(), "aten::arange");
  SizeFit unknown{{{"m", 0, 1}}, 1, 0};
  EXPECT_EQ(substitute(made->program(), {{arange, 0, unknown}}, size_sources(rows)), nullptr);
}

TEST(Substitute, KeepsTheKindOfTheLiteral) {
  auto made = graph_export(graph_text(
      {"%f : float = prim::Constant[value=7.]()", "%y : Tensor = aten::mul(%x, %f)"}, "%y"));
  SizeFit itself{{{"n", 0, 1}}, 1, 0};
  auto graph = substitute(made->program(), {{0, 1, itself}}, size_sources(rows));
  EXPECT_EQ(shape_at(graph, 3), core::Dims{3});
}

TEST(ExchangeStructure, TakesTheStepsOfTheOneAndTheLiteralsOfTheOther) {
  auto a = graph_export(arange_graph(7));
  std::string longer = arange_graph(5);
  longer.replace(longer.find("  return (%out)"), 15,
                 "  %more : Tensor = aten::relu(%out) # model.py:10:4\n  return (%more)");
  auto b = graph_export(longer);
  Alignment alignment = align(a->program(), b->program());
  std::vector<size_t> structure;
  for (size_t i = 0; i < alignment.differences.size(); ++i) {
    if (alignment.differences[i].kind != GraphDifference::Kind::literal) structure.push_back(i);
  }
  ASSERT_FALSE(structure.empty());
  auto graph = exchange_structure(a->program(), b->program(), alignment, structure);
  EXPECT_NE(ir::print(*graph).find("aten::relu"), std::string::npos);
  EXPECT_EQ(shape_at(graph, 7), core::Dims{7});  // a's 7, not b's 5.
  EXPECT_EQ(shape_at(graph, 5), core::Dims{-1});
}

}  // namespace
}  // namespace assay::verify
