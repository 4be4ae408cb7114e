#include "engine/archive/upgraders.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"

namespace assay::archive {
namespace {

/// Kinds of all nodes after the graph of this version was upgraded.
std::multiset<std::string> upgraded(int64_t version, const std::string& text) {
  ir::Unit unit;
  ir::Function& function = unit.define_function("__torch__.f", ir::parse(text));
  Upgrades(version).apply(function);
  EXPECT_TRUE(ir::verify(function.graph()).empty());
  std::multiset<std::string> kinds;
  function.graph().for_each([&](ir::Node* node) { kinds.insert(node->kind().text()); });
  return kinds;
}

const std::string division = R"(graph(%x : Tensor, %y : Tensor):
  %z : Tensor = aten::div(%x, %y)
  return (%z)
)";

TEST(Upgrades, AreNeededBelowTheNewestVersionOnly) {
  EXPECT_TRUE(Upgrades(3).needed());
  EXPECT_TRUE(Upgrades(9).needed());
  EXPECT_FALSE(Upgrades(10).needed());
}

TEST(Upgrades, DivisionOfIntegersRoundedBeforeVersionFour) {
  // torch 1.5: div of integers truncates; from 1.6 on (version 4) it is true division.
  EXPECT_GT(upgraded(3, division).count("aten::is_floating_point"), 0u);
  EXPECT_EQ(upgraded(4, division).count("aten::is_floating_point"), 0u);
  EXPECT_EQ(upgraded(4, division).count("aten::div"), 1u);
}

TEST(Upgrades, GeluGotItsArgumentInVersionTen) {
  std::string gelu = R"(graph(%x : Tensor):
  %a : str = prim::Constant[value="tanh"]()
  %z : Tensor = aten::gelu(%x, %a)
  return (%z)
)";
  EXPECT_EQ(upgraded(10, gelu).size(), 2u);
  EXPECT_EQ(upgraded(9, gelu).count("aten::gelu"), 1u);
}

TEST(Upgrades, EveryRowNamesAnOperatorThatTheCatalogHas) {
  for (const Upgrader& row : upgraders()) {
    EXPECT_NE(ops::find_operator(row.op), nullptr) << row.op;
    EXPECT_GE(row.since, 4);
    EXPECT_LE(row.since, 10);
  }
}

}  // namespace
}  // namespace assay::archive
