#include "engine/ir/passes/normalize.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

std::string bare(const Graph& graph) { return print(graph, {.source = false, .scopes = false}); }

TEST(Normalize, NamesSizesAndPlacesDoNotCount) {
  auto first = parse(R"(graph(%self : __torch__.M, %input.1 : Float(2, 3, strides=[3, 1])):
  %a : Tensor = prim::GetAttr[name="w"](%self)
  %b : Tensor = prim::GetAttr[name="w"](%self)
  %1 : int = prim::Constant[value=1]() # x.py:1:1
  %2 : int = prim::Constant[value=1]()
  %3 : Float(2, 3) = aten::add(%input.1, %a, %1), scope: __module.a # x.py:2:2
  %4 : Float(2, 3) = aten::add(%3, %b, %2)
  return (%4)
)");
  auto second = parse(R"(graph(%self : __torch__.M, %x : Float(5, 7)):
  %one : int = prim::Constant[value=1]()
  %9 : Tensor = prim::GetAttr[name="unused"](%self)
  %w : Tensor = prim::GetAttr[name="w"](%self)
  %y : Tensor = aten::add(%x, %w, %one)
  %z : Tensor = aten::add(%y, %w, %one)
  return (%z)
)");
  auto made = normalized(*first);
  EXPECT_TRUE(verify(*made).empty());
  EXPECT_EQ(bare(*made), bare(*normalized(*second)));
  EXPECT_EQ(bare(*made), R"(graph(%0 : __torch__.M,
      %1 : Tensor):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = prim::GetAttr[name="w"](%0)
  %4 : Tensor = aten::add(%1, %3, %2)
  %5 : Tensor = aten::add(%4, %3, %2)
  return (%5)
)");
}

TEST(EraseShapes, LeavesNamesAndContainers) {
  auto graph = parse(R"(graph(%x.1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=0]()
  %all : (Float(2), Long(3)[], int) = aten::probe(%x.1, %1)
  return (%all)
)");
  erase_shapes(*graph);
  EXPECT_EQ(bare(*graph), R"(graph(%x.1 : Tensor):
  %1 : int = prim::Constant[value=0]()
  %all : (Tensor, Tensor[], int) = aten::probe(%x.1, %1)
  return (%all)
)");
}

TEST(Normalize, DifferencesStay) {
  auto graph = [](const char* number) {
    return bare(*normalized(*parse(std::string("graph(%x : Tensor):\n  %1 : int = "
                                               "prim::Constant[value=") +
                                   number +
                                   "]()\n  %2 : Tensor = aten::neg(%x)\n"
                                   "  %3 : (Tensor, int) = prim::TupleConstruct(%2, %1)\n"
                                   "  return (%3)\n")));
  };
  EXPECT_NE(graph("2"), graph("3"));
}

}  // namespace
}  // namespace assay::ir
