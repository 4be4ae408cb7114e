#include "engine/ir/alias.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

TEST(Alias, ViewsShareWithWhatTheyView) {
  auto graph = parse(R"(graph(%n : int):
  %size : int[] = prim::ListConstruct(%n, %n)
  %none : NoneType = prim::Constant()
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::ones(%size, %none, %none, %none, %none)
  %b : Tensor = aten::ones(%size, %none, %none, %none, %none)
  %v : Tensor = aten::select(%a, %zero, %zero)
  %one : int = prim::Constant[value=1]()
  %w : Tensor = aten::add_(%v, %v, %one)
  %r : Tensor = aten::relu(%b)
  return (%r)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  EXPECT_TRUE(alias.may_share(value("a"), value("v")));
  EXPECT_TRUE(alias.may_share(value("a"), value("w")));
  EXPECT_FALSE(alias.may_share(value("a"), value("b")));
  EXPECT_TRUE(alias.is_written(value("a")));
  EXPECT_FALSE(alias.is_written(value("b")));
  EXPECT_FALSE(alias.may_escape(value("b")));
}

TEST(Alias, BranchesAndLoopsJoinWhatTheyGive) {
  auto graph = parse(R"(graph(%x : Tensor, %c : bool, %n : int):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %r : Tensor = prim::If(%c)
    block0():
      -> (%a)
    block1():
      -> (%x)
  %s : Tensor = prim::Loop(%n, %t, %b)
    block0(%i : int, %carried : Tensor):
      -> (%t, %carried)
  return (%r, %s)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  EXPECT_TRUE(alias.may_share(value("r"), value("a")));
  EXPECT_TRUE(alias.may_share(value("r"), value("x")));
  EXPECT_TRUE(alias.may_share(value("s"), value("b")));
  EXPECT_TRUE(alias.may_share(value("carried"), value("b")));
  EXPECT_FALSE(alias.may_share(value("s"), value("r")));
}

TEST(Alias, UnknownOperatorsAreTakenForTheWorst) {
  auto graph = parse(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %u : Tensor = mystery::op(%a)
  return (%u)
)");
  const Value* a = graph->find_value("a");
  EXPECT_TRUE(Alias(*graph).is_written(a));
  EXPECT_TRUE(Alias(*graph).may_share(a, graph->find_value("u")));
  EXPECT_TRUE(has_effects(graph->find_value("u")->node()));
  EXPECT_FALSE(has_effects(a->node()));
}

TEST(Alias, OnlyMutableTypesAre) {
  EXPECT_TRUE(is_mutable_type(core::tensor_type()));
  EXPECT_TRUE(is_mutable_type(core::optional_of(core::list_of(core::int_type()))));
  EXPECT_TRUE(is_mutable_type(core::tuple_of({core::int_type(), core::tensor_type()})));
  EXPECT_FALSE(is_mutable_type(core::int_type()));
  EXPECT_FALSE(is_mutable_type(core::tuple_of({core::int_type(), core::string_type()})));
}

}  // namespace
}  // namespace assay::ir
