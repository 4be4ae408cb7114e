#include "engine/ir/passes/control_flow.h"

#include <gtest/gtest.h>

#include "engine/ir/constant.h"
#include "engine/ir/parser.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

/// All that constants decide of branches and loops.
bool decide(Graph& graph) { return fold_constants(graph, {}); }

std::string bare(const Graph& graph) { return print(graph, {.source = false, .scopes = false}); }

TEST(ControlFlow, PutsTheChosenBranchInPlace) {
  auto graph = parse(R"(graph(%x : Tensor, %c : bool):
  %yes : bool = prim::Constant[value=1]()
  %no : bool = prim::Constant[value=0]()
  %y : Tensor = prim::If(%no)
    block0():
      %a : Tensor = aten::neg(%x)
      -> (%a)
    block1():
      %b : Tensor = prim::If(%yes)
        block0():
          %d : Tensor = aten::relu(%x)
          -> (%d)
        block1():
          -> (%x)
      %e : Tensor = aten::exp(%b)
      -> (%e)
  %z : Tensor = prim::If(%c)
    block0():
      %k : Tensor = prim::If(%yes)
        block0():
          -> (%y)
        block1():
          -> (%x)
      -> (%k)
    block1():
      -> (%x)
  return (%z)
)");
  EXPECT_TRUE(decide(*graph));
  ensure_valid(*graph, "after pruning");
  EXPECT_EQ(bare(*graph), R"(graph(%x : Tensor,
      %c : bool):
  %yes : bool = prim::Constant[value=1]()
  %no : bool = prim::Constant[value=0]()
  %d : Tensor = aten::relu(%x)
  %e : Tensor = aten::exp(%d)
  %z : Tensor = prim::If(%c)
    block0():
      -> (%e)
    block1():
      -> (%x)
  return (%z)
)");
  EXPECT_FALSE(decide(*graph));
}

TEST(ControlFlow, RemovesLoopsThatDoNotTurn) {
  auto graph = parse(R"(graph(%x : Tensor, %n : int, %c : bool):
  %yes : bool = prim::Constant[value=1]()
  %no : bool = prim::Constant[value=0]()
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = prim::Loop(%zero, %c, %x)
    block0(%i : int, %x.1 : Tensor):
      %u : Tensor = aten::neg(%x.1)
      -> (%yes, %u)
  %b : Tensor = prim::Loop(%n, %no, %a)
    block0(%k : int, %x.2 : Tensor):
      %v : Tensor = aten::neg(%x.2)
      -> (%yes, %v)
  %d : Tensor = prim::Loop(%n, %yes, %b)
    block0(%l : int, %x.3 : Tensor):
      %w : Tensor = aten::neg(%x.3)
      -> (%yes, %w)
  return (%d)
)");
  EXPECT_TRUE(decide(*graph));
  ensure_valid(*graph, "after pruning");
  auto loops = graph->find_all("prim::Loop");
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0]->output(), graph->find_value("d"));
  EXPECT_EQ(loops[0]->input(2), graph->find_value("x"));
}

TEST(ControlFlow, OutputsThatBranchesAgreeOnAndVariablesThatStayGo) {
  auto graph = parse(R"(graph(%x : Tensor, %n : int, %c : bool):
  %yes : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %a : Tensor, %k : int, %s : Tensor = prim::If(%c)
    block0():
      %l : int = prim::Constant[value=7]()
      %u : Tensor = aten::neg(%x)
      -> (%x, %l, %u)
    block1():
      %m : int = prim::Constant[value=7]()
      -> (%x, %m, %x)
  %b : Tensor, %t : Tensor = prim::Loop(%n, %yes, %a, %s)
    block0(%i : int, %b.1 : Tensor, %t.1 : Tensor):
      %v : Tensor = aten::add(%t.1, %b.1, %one)
      -> (%yes, %b.1, %v)
  %r : (Tensor, int, Tensor) = prim::TupleConstruct(%b, %k, %t)
  return (%r)
)");
  EXPECT_TRUE(decide(*graph));
  ensure_valid(*graph, "after deciding");
  const Node* tuple = graph->outputs()[0]->node();
  EXPECT_EQ(tuple->input(0), graph->find_value("x"));
  EXPECT_EQ(constant_value(tuple->input(1))->to_int(), 7);
  EXPECT_EQ(graph->find_all("prim::If")[0]->outputs().size(), 1U);
  EXPECT_EQ(graph->find_all("prim::Loop")[0]->outputs().size(), 1U);
}

}  // namespace
}  // namespace assay::ir
