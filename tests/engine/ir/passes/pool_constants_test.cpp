#include "engine/ir/passes/pool_constants.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

TEST(PoolConstants, EqualConstantsBecomeOneAtTheStart) {
  auto graph = parse(R"(graph(%x : Tensor, %c : bool):
  %a : int = prim::Constant[value=1]()
  %b : float = prim::Constant[value=1.]()
  %z : float = prim::Constant[value=0.]()
  %m : float = prim::Constant[value=-0.]()
  %r : (int, int, float, float, float) = prim::If(%c)
    block0():
      %d : int = prim::Constant[value=1]()
      %t : (int, int, float, float, float) = prim::TupleConstruct(%a, %d, %b, %z, %m)
      -> (%t)
    block1():
      %e : int = prim::Constant[value=1]()
      %u : (int, int, float, float, float) = prim::TupleConstruct(%e, %e, %b, %z, %m)
      -> (%u)
  return (%r)
)");
  pool_constants(*graph);
  ensure_valid(*graph, "after pooling");
  auto constants = graph->find_all("prim::Constant");
  EXPECT_EQ(constants.size(), 4U) << "zeros of both signs, an int and a float";
  for (const Node* constant : constants) EXPECT_EQ(constant->owner(), graph->block());
}

TEST(PoolConstants, ListsThatAreWrittenToStayApart) {
  auto graph = parse(R"(graph(%x : int):
  %a : int[] = prim::Constant[value=[1, 2]]()
  %b : int[] = prim::Constant[value=[1, 2]]()
  %c : str[] = prim::Constant[value=["u"]]()
  %d : str[] = prim::Constant[value=["u"]]()
  %1 : int[] = aten::append(%a, %x)
  %n : int = aten::len(%b)
  %o : int = aten::len(%c)
  %p : int = aten::len(%d)
  %r : (int, int, int) = prim::TupleConstruct(%n, %o, %p)
  return (%r)
)");
  pool_constants(*graph);
  ensure_valid(*graph, "after pooling");
  EXPECT_EQ(graph->find_all("prim::Constant").size(), 3U);
}

}  // namespace
}  // namespace assay::ir
