#include "engine/optimize/pipeline.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/ir/parser.h"
#include "engine/ir/printer.h"

namespace assay::optimize {
namespace {

/// Runs the passes on a graph whose first input stands for a module without attributes.
bool run(ir::Graph& graph) {
  auto type = std::make_shared<core::ClassType>("__torch__.Net", true);
  auto self = base::make_ref<core::Object>(type);
  ir::Evaluate evaluate = [](const ops::Operator&,
                             const core::Values&) -> std::optional<core::Values> { return {}; };
  std::vector<ir::Rank> ranks(graph.inputs().size());
  return run_passes(graph, {self, ranks, evaluate}, true);
}

TEST(Pipeline, EveryPassSaysWhatItAssumesAndKeeps) {
  for (auto passes : {specializing_passes(), fusing_passes()}) {
    std::set<std::string_view> names;
    for (const Pass& pass : passes) {
      EXPECT_TRUE(names.insert(pass.name).second) << pass.name << " is there twice";
      EXPECT_FALSE(pass.assumes.empty()) << pass.name;
      EXPECT_FALSE(pass.keeps.empty()) << pass.name;
    }
  }
}

TEST(Pipeline, FusesOnlyWhatComputes) {
  auto pure = ir::parse(R"(graph(%self : Tensor, %x : Tensor):
  %y : Tensor = aten::relu(%x)
  return (%y)
)");
  EXPECT_TRUE(run(*pure));
  auto writes = ir::parse(R"(graph(%self : Tensor, %x : Tensor):
  %y : Tensor = aten::relu_(%x)
  return (%y)
)");
  EXPECT_FALSE(run(*writes));
  EXPECT_EQ(writes->find_all("aten::relu_").size(), 1U);
}

TEST(Pipeline, WhatOneRoundDecidesIsUsedByTheNext) {
  auto graph = ir::parse(R"(graph(%self : Tensor, %x : Tensor):
  %no : bool = prim::Constant[value=0]()
  %yes : bool = prim::Constant[value=1]()
  %inner : bool = prim::If(%no)
    block0():
      -> (%no)
    block1():
      -> (%yes)
  %y : Tensor = prim::If(%inner)
    block0():
      %a : Tensor = aten::relu(%x)
      -> (%a)
    block1():
      %b : Tensor = aten::neg(%x)
      -> (%b)
  return (%y)
)");
  EXPECT_TRUE(run(*graph));
  EXPECT_TRUE(graph->find_all("prim::If").empty());
  EXPECT_EQ(graph->outputs()[0]->node()->kind().text(), "aten::relu");
}

}  // namespace
}  // namespace assay::optimize
