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

TEST(Alias, ListsAreApartFromWhatTheyHold) {
  auto graph = parse(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %list : Tensor[] = prim::ListConstruct(%a)
  %other : Tensor[] = prim::ListConstruct()
  %whole : Tensor[] = aten::append(%other, %x)
  %copy : Tensor[] = aten::copy(%list)
  %first : Tensor = aten::__getitem__(%list, %zero)
  %written : Tensor = aten::add_(%first, %b, %one)
  return (%list, %copy)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  const Node* append = value("whole")->node();
  const Node* add = value("written")->node();
  EXPECT_TRUE(alias.may_share(value("list"), value("a")));
  EXPECT_TRUE(alias.may_share(value("first"), value("a")));
  EXPECT_TRUE(alias.may_share(value("copy"), value("a")));
  EXPECT_FALSE(alias.may_share(value("list"), value("b")));
  EXPECT_TRUE(alias.writes_to(append, {value("whole")}));
  EXPECT_FALSE(alias.writes_to(append, {value("x"), value("list"), value("copy")}));
  EXPECT_FALSE(alias.writes_outside(append));
  EXPECT_TRUE(alias.writes_to(add, {value("list")}));
  EXPECT_TRUE(alias.writes_to(add, {value("copy")}));
  EXPECT_TRUE(alias.writes_to(add, {value("a")}));
  EXPECT_FALSE(alias.writes_to(add, {value("b")}));
  EXPECT_TRUE(alias.is_written(value("list")));
}

TEST(Alias, WhatIsUnknownMayWriteToWhatContainersHold) {
  auto graph = parse(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %list : Tensor[] = prim::ListConstruct(%a)
  %pair : (Tensor[], int) = prim::TupleConstruct(%list, %one)
  %inner : Tensor[], %number : int = prim::TupleUnpack(%pair)
  %u : int = mystery::op(%inner)
  return (%u)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  const Node* unknown = value("u")->node();
  EXPECT_TRUE(alias.writes_to(unknown, {value("a")}));
  EXPECT_TRUE(alias.writes_to(unknown, {value("pair")}));
  EXPECT_FALSE(alias.writes_to(unknown, {value("b")}));
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
