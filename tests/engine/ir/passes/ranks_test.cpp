#include "engine/ir/passes/ranks.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

// What `.dim()` of each value is in PyTorch for x of rank 4 and y of rank 3.
TEST(Ranks, FollowTensorsThroughOperators) {
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
  Ranks ranks(*graph, inputs);
  auto rank = [&](const char* name) { return ranks.of(graph->find_value(name)); };
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

}  // namespace
}  // namespace assay::ir
