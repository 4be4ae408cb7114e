#include "engine/archive/modified_loops.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::archive {
namespace {

TEST(ModifiedLoops, PlainLoopsStay) {
  auto graph = ir::parse(R"(graph(%n : int, %c : bool):
  %t : bool = prim::Constant[value=1]()
  %most : int = prim::Constant[value=9223372036854775807]()
  %z : int = prim::Constant[value=0]()
  %a : int = prim::Loop(%n, %t, %z)
    block0(%i : int, %s : int):
      %s.1 : int = aten::add(%s, %i)
      -> (%t, %s.1)
  %b : int = prim::Loop(%most, %c, %a)
    block0(%j : int, %u : int):
      %u.1 : int = aten::add(%u, %u)
      -> (%c, %u.1)
  return (%b)
)");
  EXPECT_EQ(without_modified_loops(graph), graph);
}

TEST(ModifiedLoops, ForWithBreakBecomesAWhileThatCounts) {
  auto graph = ir::parse(R"(graph(%n : int, %c : bool):
  %t : bool = prim::Constant[value=1]()
  %z : int = prim::Constant[value=0]()
  %a : int = prim::Loop(%n, %t, %z)
    block0(%i : int, %s : int):
      %s.1 : int = aten::add(%s, %i)
      %go : bool = aten::lt(%s.1, %n)
      -> (%go, %s.1)
  return (%a)
)");
  std::string before = graph->str();
  auto changed = without_modified_loops(graph);
  EXPECT_NE(changed, graph);
  EXPECT_EQ(graph->str(), before);
  EXPECT_TRUE(ir::verify(*changed).empty());
  const ir::Node* loop = changed->find_all("prim::Loop").at(0);
  // Endless by count, entered if n > 0, one more value carried: the counter.
  EXPECT_EQ(loop->inputs().size(), 4u);
  EXPECT_EQ(loop->input(1)->node()->kind(), base::Symbol("aten::gt"));
  EXPECT_FALSE(loop->block()->params()[0]->has_uses());
  EXPECT_EQ(loop->block()->results()[0]->node()->kind(), base::Symbol("aten::__and__"));
}

}  // namespace
}  // namespace assay::archive
