#include "engine/ir/passes/untie_loops.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

// A loop in a loop, both with a bound and a condition.
TEST(UntieLoops, CountersBecomeVariables) {
  auto graph = parse(R"(graph(%n : int, %c : bool):
  %z : int = prim::Constant[value=0]()
  %a : int = prim::Loop(%n, %c, %z)
    block0(%i : int, %s : int):
      %b : int = prim::Loop(%n, %c, %s)
        block0(%j : int, %u : int):
          %u.1 : int = aten::add(%u, %j)
          %more : bool = aten::lt(%u.1, %n)
          -> (%more, %u.1)
      %go : bool = aten::lt(%b, %i)
      -> (%go, %b)
  return (%a)
)");
  for (const Node* loop : graph->find_all("prim::Loop")) EXPECT_TRUE(counts_and_tests(loop));
  untie_loops(*graph);
  ensure_valid(*graph, "after untying");
  auto loops = graph->find_all("prim::Loop");
  ASSERT_EQ(loops.size(), 2U);
  for (const Node* loop : loops) {
    EXPECT_FALSE(counts_and_tests(loop));
    EXPECT_EQ(loop->inputs().size(), 4U);
    EXPECT_EQ(loop->input(1)->node()->kind().text(), "aten::__and__");
    EXPECT_EQ(loop->block(0)->results()[0]->node()->kind().text(), "aten::__and__");
    EXPECT_FALSE(loop->block(0)->params()[0]->has_uses());
  }
}

// `while` has no counter to tell.
TEST(UntieLoops, AnEndlessLoopWithoutACounterStays) {
  auto graph = parse(R"(graph(%c : bool):
  %most : int = prim::Constant[value=9223372036854775807]()
  %z : int = prim::Constant[value=0]()
  %a : int = prim::Loop(%most, %c, %z)
    block0(%i : int, %s : int):
      %s.1 : int = aten::add(%s, %s)
      -> (%c, %s.1)
  return (%a)
)");
  EXPECT_FALSE(counts_and_tests(graph->find_all("prim::Loop")[0]));
  std::string before = graph->str();
  untie_loops(*graph);
  EXPECT_EQ(graph->str(), before);
}

}  // namespace
}  // namespace assay::ir
