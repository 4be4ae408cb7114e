#include "engine/optimize/renew_containers.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::optimize {

using ir::Graph;
using ir::Node;

namespace {

std::string bare(const Graph& graph) {
  return ir::print(graph, {.source = false, .scopes = false});
}

TEST(RenewContainers, LaterReadersReadAListOfAllItems) {
  auto graph = ir::parse(R"(graph(%x : Tensor, %y : Tensor):
  %0 : int = prim::Constant[value=0]()
  %xs : Tensor[] = prim::ListConstruct(%x)
  %n : int = aten::len(%xs)
  %1 : Tensor[] = aten::append(%xs, %y)
  %a : Tensor = aten::cat(%xs, %n)
  %2 : Tensor[] = aten::append(%xs, %a)
  %b : Tensor = aten::cat(%xs, %0)
  return (%b)
)");
  EXPECT_TRUE(renew_containers(*graph));
  ir::remove_dead_code(*graph);
  ir::ensure_valid(*graph, "after renewing");
  const Node* last = graph->outputs()[0]->node()->input(0)->node();
  ASSERT_EQ(last->inputs().size(), 3U);
  EXPECT_EQ(last->input(1), graph->find_value("y"));
  EXPECT_EQ(last->input(2), graph->find_value("a"));
  EXPECT_EQ(graph->find_value("a")->node()->input(0)->node()->inputs().size(), 2U);
  // What was read before the writes is read as it was.
  EXPECT_EQ(graph->find_value("n")->node()->input(0)->node()->inputs().size(), 1U);
  EXPECT_TRUE(graph->find_all("aten::append").empty());
}

TEST(RenewContainers, PutsEntriesWhereTheirKeyStands) {
  auto graph = ir::parse(R"(graph(%x : Tensor, %y : Tensor, %z : Tensor):
  %a : str = prim::Constant[value="a"]()
  %b : str = prim::Constant[value="b"]()
  %d : Dict(str, Tensor) = aten::dict()
   = aten::_set_item(%d, %a, %x)
   = aten::_set_item(%d, %b, %y)
   = aten::_set_item(%d, %a, %z)
  return (%d)
)");
  EXPECT_TRUE(renew_containers(*graph));
  ir::remove_dead_code(*graph);
  ir::ensure_valid(*graph, "after renewing");
  graph->outputs()[0]->set_name("made");
  EXPECT_EQ(bare(*graph), R"(graph(%x : Tensor,
      %y : Tensor,
      %z : Tensor):
  %a : str = prim::Constant[value="a"]()
  %b : str = prim::Constant[value="b"]()
  %made : Dict(str, Tensor) = prim::DictConstruct(%a, %z, %b, %y)
  return (%made)
)");
}

TEST(RenewContainers, LeavesContainersThatOthersMayHold) {
  // Kept in another list, written in a branch, the argument of the graph.
  auto graph = ir::parse(R"(graph(%x : Tensor, %c : bool, %given : Tensor[]):
  %xs : Tensor[] = prim::ListConstruct(%x)
  %all : Tensor[][] = prim::ListConstruct(%xs)
  %1 : Tensor[] = aten::append(%xs, %x)
  %ys : Tensor[] = prim::ListConstruct(%x)
   = prim::If(%c)
    block0():
      %2 : Tensor[] = aten::append(%ys, %x)
      -> ()
    block1():
      -> ()
  %3 : Tensor[] = aten::append(%given, %x)
  %4 : (Tensor[][], Tensor[]) = prim::TupleConstruct(%all, %ys)
  return (%4)
)");
  std::string before = bare(*graph);
  EXPECT_FALSE(renew_containers(*graph));
  EXPECT_EQ(bare(*graph), before);
}

}  // namespace
}  // namespace assay::optimize
