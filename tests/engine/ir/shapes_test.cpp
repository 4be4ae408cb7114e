#include "engine/ir/shapes.h"

#include <gtest/gtest.h>

#include "engine/ir/constant.h"
#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

// What `.dim()` of each value is in PyTorch for x of rank 4 and y of rank 3.
TEST(Shapes, FollowTensorsThroughOperators) {
  auto graph = parse(R"(graph(%x : Tensor, %y : Tensor, %z : Tensor, %c : bool):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %last : int = prim::Constant[value=-1]()
  %relu : Tensor = aten::relu(%x)
  %sum : Tensor = aten::add(%y, %relu, %1)
  %more : Tensor = aten::add(%y, %1, %1)
  %flat : Tensor = aten::flatten(%sum, %1, %last)
  %middle : Tensor = aten::flatten(%sum, %1, %2)
  %wide : Tensor = aten::unsqueeze(%flat, %0)
  %one : Tensor = aten::select(%x, %0, %0)
  %list : Tensor[] = prim::ListConstruct(%x, %sum)
  %joined : Tensor = aten::cat(%list, %0)
  %mixed : Tensor[] = prim::ListConstruct(%x, %y)
  %odd : Tensor = aten::cat(%mixed, %0)
  %sizes : int[] = prim::ListConstruct(%1, %last)
  %view : Tensor = aten::view(%y, %sizes)
  %both : Tensor = prim::If(%c)
    block0():
      -> (%x)
    block1():
      -> (%joined)
  %unlike : Tensor = prim::If(%c)
    block0():
      -> (%x)
    block1():
      -> (%y)
  %lost : Tensor = aten::relu(%z)
  return (%both)
)");
  const Rank inputs[] = {4, 3, std::nullopt, std::nullopt};
  Shapes shapes(*graph, inputs);
  auto rank = [&](const char* name) { return shapes.rank(graph->find_value(name)); };
  EXPECT_EQ(rank("relu"), 4);
  EXPECT_EQ(rank("sum"), 4);
  EXPECT_EQ(rank("more"), 3);
  EXPECT_EQ(rank("flat"), 2);
  EXPECT_EQ(rank("middle"), 3);
  EXPECT_EQ(rank("wide"), 3);
  EXPECT_EQ(rank("one"), 3);
  EXPECT_EQ(rank("joined"), 4);
  EXPECT_EQ(rank("view"), 2);
  EXPECT_EQ(rank("both"), 4);
  for (const char* unknown : {"odd", "unlike", "z", "lost", "c", "list"}) {
    EXPECT_EQ(rank(unknown), std::nullopt) << unknown;
  }
}

/// A weight whose sizes a test chooses, as the second input of the graph.
std::shared_ptr<Graph> with_weight(const char* text, core::Dims sizes) {
  auto graph = parse(text);
  core::Tensor weight = core::Tensor::empty(sizes, core::DType::float32);
  Node* constant = graph->create_constant(weight)->insert_after(graph->block()->param_node());
  graph->inputs()[1]->replace_all_uses(constant->output());
  return graph;
}

TEST(Shapes, SizesComeFromWhatIsKnown) {
  auto graph = with_weight(R"(graph(%x : Tensor, %w : Tensor):
  %none : NoneType = prim::Constant()
  %1 : int = prim::Constant[value=1]()
  %0 : int = prim::Constant[value=0]()
  %ones : int[] = prim::ListConstruct(%1, %1)
  %zeros : int[] = prim::ListConstruct(%0, %0)
  %c : Tensor = aten::conv2d(%x, %w, %none, %ones, %zeros, %ones, %1)
  %p : Tensor = aten::adaptive_avg_pool2d(%c, %ones)
  %channels : int = aten::size(%c, %1)
  %batch : int = aten::size(%x, %0)
  %flat : int[] = prim::ListConstruct(%batch, %channels)
  %v : Tensor = aten::view(%p, %flat)
  return (%v)
)",
                           {16, 3, 7, 7});
  const Rank inputs[] = {4, std::nullopt};
  Shapes shapes(*graph, inputs);
  using Sizes = std::vector<std::optional<int64_t>>;
  auto of = [&](const char* name) { return shapes.of(graph->find_value(name)); };
  ASSERT_NE(of("c"), nullptr);
  EXPECT_EQ(of("c")->sizes, (Sizes{{}, 16, {}, {}}));
  ASSERT_NE(of("p"), nullptr);
  EXPECT_EQ(of("p")->sizes, (Sizes{{}, 16, 1, 1}));
  ASSERT_NE(of("v"), nullptr);
  EXPECT_EQ(of("v")->sizes, (Sizes{{}, 16}));
}

TEST(Shapes, WhatASizeDecidesIsNotKnown) {
  auto graph = parse(R"(graph(%x : Tensor, %y : Tensor, %n : int):
  %0 : int = prim::Constant[value=0]()
  %1 : int = prim::Constant[value=1]()
  %squeezed : Tensor = aten::squeeze(%x)
  %sum : Tensor = aten::add(%x, %y, %1)
  %product : Tensor = aten::matmul(%x, %y)
  %sizes : int[] = prim::ListConstruct(%n, %n, %1)
  %grown : Tensor = aten::expand(%x, %sizes, %0)
  %named : Tensor = mystery::op(%x)
  return (%sum)
)");
  const Rank inputs[] = {2, 2, std::nullopt};
  Shapes shapes(*graph, inputs);
  auto of = [&](const char* name) { return shapes.of(graph->find_value(name)); };
  EXPECT_EQ(of("squeezed"), nullptr);
  EXPECT_EQ(of("named"), nullptr);
  for (const char* name : {"sum", "product"}) {
    ASSERT_NE(of(name), nullptr) << name;
    EXPECT_EQ(of(name)->sizes, std::vector<std::optional<int64_t>>(2)) << name;
  }
}

TEST(Shapes, ElementTypesAreWhatTheRulesSay) {
  auto graph = with_weight(R"(graph(%x : Tensor, %w : Tensor):
  %1 : int = prim::Constant[value=1]()
  %same : Tensor = aten::relu(%x)
  %less : Tensor = aten::lt(%x, %1)
  %double : int = prim::Constant[value=7]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %to : Tensor = aten::to(%x, %double, %no, %no, %none)
  %root : Tensor = aten::sqrt(%w)
  return (%same)
)",
                           {2});
  const Rank inputs[] = {2, std::nullopt};
  Shapes shapes(*graph, inputs);
  auto dtype = [&](const char* name) { return shapes.of(graph->find_value(name))->dtype; };
  EXPECT_EQ(dtype("same"), std::nullopt);
  EXPECT_EQ(dtype("less"), core::DType::boolean);
  EXPECT_EQ(dtype("to"), core::DType::float64);
  EXPECT_EQ(dtype("root"), core::DType::float32);
}

TEST(Shapes, OfComposedOperatorsAreThoseOfTheirParts) {
  auto graph = parse(R"(graph(%x : Tensor):
  %no : bool = prim::Constant[value=0]()
  %half : float = prim::Constant[value=0.5]()
  %1 : int = prim::Constant[value=1]()
  %pads : int[] = prim::ListConstruct(%1, %1)
  %mode : str = prim::Constant[value="constant"]()
  %none : NoneType = prim::Constant()
  %dropped : Tensor = aten::dropout(%x, %half, %no)
  %padded : Tensor = aten::pad(%dropped, %pads, %mode, %none)
  return (%padded)
)");
  const Rank inputs[] = {4};
  EXPECT_EQ(Shapes(*graph, inputs).rank(graph->find_value("padded")), 4);
}

TEST(Shapes, OfATensorThatTakesAnotherShapeAreNotKnown) {
  auto graph = parse(R"(graph(%x : Tensor, %y : Tensor):
  %0 : int = prim::Constant[value=0]()
  %wide : Tensor = aten::unsqueeze_(%x, %0)
  %1 : int = prim::Constant[value=1]()
  %same : Tensor = aten::add_(%y, %1, %1)
  return (%wide)
)");
  const Rank inputs[] = {2, 2};
  Shapes shapes(*graph, inputs);
  EXPECT_EQ(shapes.rank(graph->inputs()[0]), std::nullopt);
  EXPECT_EQ(shapes.rank(graph->find_value("wide")), 3);
  EXPECT_EQ(shapes.rank(graph->inputs()[1]), 2);
}

}  // namespace
}  // namespace assay::ir
