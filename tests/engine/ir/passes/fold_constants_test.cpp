#include "engine/ir/passes/fold_constants.h"

#include <gtest/gtest.h>

#include "engine/ir/constant.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

/// `a != b` of ints; other operators raise.
std::optional<core::Values> evaluate(const ops::Operator& op, const core::Values& arguments) {
  if (op.qualified_name == "aten::__contains__.str_list") {
    return core::Values{arguments[0].list().items.at(1).equals(arguments[1])};
  }
  if (op.qualified_name != "aten::ne.int") return std::nullopt;
  return core::Values{arguments[0].to_int() != arguments[1].to_int()};
}

/// The graph with its constants folded, for a first input of rank 4.
std::shared_ptr<Graph> folded(const char* text) {
  auto graph = parse(text);
  const Rank inputs[] = {4};
  EXPECT_TRUE(fold_constants(*graph, {evaluate, true, inputs}));
  ensure_valid(*graph, "after folding");
  return graph;
}

std::optional<core::Value> result(const Graph& graph, size_t index) {
  return constant_value(graph.outputs()[0]->node()->input(index));
}

TEST(FoldConstants, OperatorsOnConstantsAndRanks) {
  auto graph = folded(R"(graph(%x : Tensor, %n : int):
  %four : int = prim::Constant[value=4]()
  %five : int = prim::Constant[value=5]()
  %a : bool = aten::ne(%four, %five)
  %d : int = aten::dim(%x)
  %s : int[] = aten::size(%x)
  %l : int = aten::len(%s)
  %u : bool = aten::ne(%n, %four)
  %m : str = prim::Constant[value="m"]()
  %o : str = prim::Constant[value="o"]()
  %ms : str[] = prim::ListConstruct(%o, %m)
  %in : bool = aten::__contains__(%ms, %m)
  %r : (bool, int, int, bool, bool) = prim::TupleConstruct(%a, %d, %l, %u, %in)
  return (%r)
)");
  EXPECT_TRUE(result(*graph, 0)->to_bool());
  EXPECT_EQ(result(*graph, 1)->to_int(), 4);
  EXPECT_EQ(result(*graph, 2)->to_int(), 4);
  EXPECT_FALSE(result(*graph, 3).has_value());
  EXPECT_TRUE(result(*graph, 4)->to_bool());
}

TEST(FoldConstants, NoneIsToldByTypes) {
  auto graph = folded(R"(graph(%x : Tensor, %o : Tensor?, %l : int[]):
  %none : NoneType = prim::Constant()
  %a : bool = aten::__is__(%l, %none)
  %b : bool = aten::__isnot__(%l, %none)
  %c : bool = aten::__is__(%none, %none)
  %d : bool = aten::__is__(%o, %none)
  %e : bool = aten::__is__(%x, %none)
  %f : int[] = prim::unchecked_cast(%l)
  %g : Tensor = prim::unchecked_cast(%o)
  %r : (bool, bool, bool, bool, bool, int[], Tensor) = prim::TupleConstruct(%a, %b, %c, %d, %e, %f, %g)
  return (%r)
)");
  EXPECT_FALSE(result(*graph, 0)->to_bool());
  EXPECT_TRUE(result(*graph, 1)->to_bool());
  EXPECT_TRUE(result(*graph, 2)->to_bool());
  EXPECT_FALSE(result(*graph, 3).has_value());
  EXPECT_FALSE(result(*graph, 4).has_value()) << "an argument may be an undefined tensor";
  const Node* tuple = graph->outputs()[0]->node();
  EXPECT_EQ(tuple->input(5), graph->find_value("l"));
  EXPECT_EQ(tuple->input(6), graph->find_value("g"));
}

TEST(FoldConstants, ItemsOfContainersMadeInSight) {
  auto graph = folded(R"(graph(%x : Tensor, %y : Tensor, %n : int):
  %0 : int = prim::Constant[value=0]()
  %last : int = prim::Constant[value=-1]()
  %k : str = prim::Constant[value="k"]()
  %t : (Tensor, Tensor) = prim::TupleConstruct(%x, %y)
  %a : Tensor, %b : Tensor = prim::TupleUnpack(%t)
  %c : Tensor = prim::TupleIndex(%t, %last)
  %fixed : Tensor[] = prim::ListConstruct(%x, %y)
  %d : Tensor = aten::__getitem__(%fixed, %0)
  %e : Tensor = aten::__getitem__(%fixed, %n)
  %table : Dict(str, Tensor) = prim::DictConstruct(%k, %y)
  %f : Tensor = aten::__getitem__(%table, %k)
  %grown : Tensor[] = prim::ListConstruct(%x)
  %1 : Tensor[] = aten::append(%grown, %y)
  %g : Tensor = aten::__getitem__(%grown, %last)
  %l : int = aten::len(%grown)
  %r : (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, int) = prim::TupleConstruct(%a, %b, %c, %d, %e, %f, %g, %l)
  return (%r)
)");
  const Node* tuple = graph->outputs()[0]->node();
  Value *x = graph->find_value("x"), *y = graph->find_value("y");
  EXPECT_EQ(tuple->input(0), x);
  EXPECT_EQ(tuple->input(1), y);
  EXPECT_EQ(tuple->input(2), y);
  EXPECT_EQ(tuple->input(3), x);
  EXPECT_EQ(tuple->input(4), graph->find_value("e"));
  EXPECT_EQ(tuple->input(5), y);
  EXPECT_EQ(tuple->input(6), graph->find_value("g")) << "the list is written to";
  EXPECT_FALSE(result(*graph, 7).has_value());
}

}  // namespace
}  // namespace assay::ir
