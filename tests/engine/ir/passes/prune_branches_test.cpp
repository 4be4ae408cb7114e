#include "engine/ir/passes/prune_branches.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

std::string bare(const Graph& graph) { return print(graph, {.source = false, .scopes = false}); }

TEST(PruneBranches, PutsTheChosenBranchInPlace) {
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
  EXPECT_TRUE(prune_branches(*graph));
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
  EXPECT_FALSE(prune_branches(*graph));
}

TEST(PruneBranches, RemovesLoopsThatDoNotTurn) {
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
  EXPECT_TRUE(prune_branches(*graph));
  ensure_valid(*graph, "after pruning");
  auto loops = graph->find_all("prim::Loop");
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0]->output(), graph->find_value("d"));
  EXPECT_EQ(loops[0]->input(2), graph->find_value("x"));
}

}  // namespace
}  // namespace assay::ir
