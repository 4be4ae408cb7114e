#include "engine/ir/verify.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

std::string broken(const Graph& graph) {
  std::string rules;
  for (const Violation& violation : verify(graph))
    if (rules.find(violation.rule) == std::string::npos)
      rules += (rules.empty() ? "" : " ") + std::string(violation.rule);
  return rules;
}

std::string broken(const std::string& body) {
  return broken(
      *parse("graph(%x : Tensor, %n : int, %c : bool, %l : int[]):\n" + body + "  return (%x)\n"));
}

TEST(Verify, V1DefinedBeforeRead) {
  auto graph = parse(
      "graph(%x : Tensor):\n  %a : Tensor = t::a(%x)\n  %b : Tensor = t::b(%a)\n  return (%b)\n");
  Node* a = graph->find_value("a")->node();
  a->move_after(graph->find_value("b")->node());
  EXPECT_EQ(broken(*graph), "ir.v1");
}

TEST(Verify, V3BranchesHaveOneForm) {
  EXPECT_EQ(broken("  %y : int = prim::If(%n)\n    block0():\n      -> (%n)\n    block1():\n"
                   "      -> (%n)\n"),
            "ir.v3");
  EXPECT_EQ(broken("  %y : int = prim::If(%c)\n    block0():\n      -> (%n)\n"), "ir.v3");
  EXPECT_EQ(broken("  %y : int = prim::If(%c)\n    block0():\n      -> ()\n    block1():\n"
                   "      -> (%n)\n"),
            "ir.v3");
}

TEST(Verify, V4LoopsCarryWhatTheyGive) {
  EXPECT_EQ(broken("  %y : int = prim::Loop(%n, %c)\n    block0(%i : int):\n      -> (%c)\n"),
            "ir.v4");
  EXPECT_EQ(broken("   = prim::Loop(%c, %c)\n    block0(%i : int):\n      -> (%c)\n"), "ir.v4");
  EXPECT_EQ(broken("   = prim::Loop(%n, %c)\n    block0(%i : int):\n      -> (%n)\n"), "ir.v4");
}

TEST(Verify, V5ConstantsAreOfTheirType) {
  auto graph = parse("graph():\n  %1 : int = prim::Constant[value=2]()\n  return (%1)\n");
  graph->outputs()[0]->set_type(core::string_type());
  EXPECT_EQ(broken(*graph), "ir.v5");
}

TEST(Verify, V6CallsFitTheSchema) {
  auto graph = parse(
      "graph(%x : Tensor, %n : int):\n  %1 : Tensor = aten::add(%x, %x, %n)\n"
      "  return (%1)\n");
  Node* add = graph->find_all("aten::add").at(0);
  ASSERT_NE(add->op(), nullptr);
  EXPECT_EQ(broken(*graph), "");
  add->replace_input(0, graph->inputs()[1]);
  EXPECT_EQ(broken(*graph), "ir.v6");
  add->remove_input(2);
  EXPECT_EQ(broken(*graph), "ir.v6");
}

TEST(Verify, V7OnlySomeNodesHaveBlocks) {
  EXPECT_EQ(broken("   = t::block()\n    block0():\n      -> ()\n"), "ir.v7");
}

TEST(Verify, V8ContainersHoldTheirParts) {
  EXPECT_EQ(broken("  %t : (int, int) = prim::TupleConstruct(%n)\n"), "ir.v8");
  EXPECT_EQ(broken("  %t : (int) = prim::TupleConstruct(%x)\n"), "ir.v8");
  EXPECT_EQ(broken("  %t : int[] = prim::ListConstruct(%n, %x)\n"), "ir.v8");
  EXPECT_EQ(broken("  %a : str = prim::ListUnpack(%l)\n"), "ir.v8");
  EXPECT_EQ(broken("  %d : Dict(int, str) = prim::DictConstruct(%n, %n)\n"), "ir.v8");
}

TEST(Verify, V9AttributesExist) {
  auto type = std::make_shared<core::ClassType>("__torch__.M");
  type->add_attribute("n", core::int_type());
  ParseOptions options;
  options.resolve_type = [&](const std::string&) { return type; };
  auto check = [&](const std::string& line) {
    return broken(
        *parse("graph(%m : __torch__.M, %s : str):\n" + line + "  return (%s)\n", options));
  };
  EXPECT_EQ(check("  %n : int = prim::GetAttr[name=\"n\"](%m)\n"), "");
  EXPECT_EQ(check("  %n : int = prim::GetAttr[name=\"k\"](%m)\n"), "ir.v9");
  EXPECT_EQ(check("  %n : str = prim::GetAttr[name=\"n\"](%m)\n"), "ir.v9");
  EXPECT_EQ(check("   = prim::SetAttr[name=\"n\"](%m, %s)\n"), "ir.v9");
  EXPECT_EQ(check("  %n : int = prim::GetAttr(%m)\n"), "ir.v9");
}

TEST(Verify, V10ResultsStandForOutputs) {
  EXPECT_EQ(broken("  %y : int = prim::If(%c)\n    block0():\n      -> (%n)\n    block1():\n"
                   "      -> (%x)\n"),
            "ir.v10");
}

}  // namespace
}  // namespace assay::ir
