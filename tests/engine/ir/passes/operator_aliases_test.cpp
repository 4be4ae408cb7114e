#include "engine/ir/passes/operator_aliases.h"

#include <gtest/gtest.h>

#include "engine/ir/graph.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

TEST(OperatorAliases, calls_get_the_standard_name_at_any_depth) {
  auto graph = parse(R"(graph(%x : Tensor, %c : bool):
  %1 : Tensor = aten::absolute(%x)
  %2 : Tensor = prim::If(%c)
    block0():
      %3 : Tensor = aten::negative(%1)
      -> (%3)
    block1():
      -> (%1)
  return (%2)
)");
  rename_aliases(graph->block());
  EXPECT_EQ(graph->find_all("aten::abs").size(), 1u);
  EXPECT_EQ(graph->find_all("aten::neg").size(), 1u);
  EXPECT_TRUE(graph->find_all("aten::absolute").empty());
  EXPECT_TRUE(verify(*graph).empty());
}

TEST(OperatorAliases, a_renamed_call_keeps_inputs_and_name_of_its_result) {
  auto graph = parse(R"(graph(%x : Tensor, %y : Tensor):
  %product : Tensor = aten::multiply(%x, %y)
  return (%product)
)");
  Node* made = rename_call(graph->find_all("aten::multiply").at(0), "aten::mul");
  EXPECT_EQ(made->output()->name(), "product");
  EXPECT_EQ(made->op()->qualified_name, "aten::mul.Tensor");
  EXPECT_EQ(graph->outputs().at(0), made->output());
}

}  // namespace
}  // namespace assay::ir
