#include "engine/ir/passes/dce.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

TEST(Dce, RemovesWhatNobodyNotices) {
  auto graph = parse(R"(graph(%x : Tensor, %n : int, %c : bool):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %unused : Tensor = aten::add(%x, %x, %one)
  %own : Tensor = aten::add(%x, %x, %one)
  %w : Tensor = aten::add_(%own, %x, %one)
  %kept : Tensor = aten::add(%x, %x, %one)
  %k : Tensor = aten::add_(%kept, %x, %one)
  %s : int, %u : int = prim::Loop(%n, %t, %one, %one)
    block0(%i : int, %s.1 : int, %u.1 : int):
      %s.2 : int = aten::add(%s.1, %i)
      -> (%t, %s.2, %u.1)
   = prim::If(%c)
    block0():
       = prim::Print(%s)
      -> ()
    block1():
      %dead : int = aten::add(%n, %n)
      -> ()
  return (%kept)
)");
  ASSERT_NE(graph->find_value("w")->node()->op(), nullptr);
  remove_dead_code(*graph);
  ensure_valid(*graph, "after dce");
  for (const char* gone : {"unused", "own", "w", "u", "u.1", "dead"})
    EXPECT_EQ(graph->find_value(gone), nullptr) << gone;
  for (const char* kept : {"kept", "k", "s"}) EXPECT_NE(graph->find_value(kept), nullptr) << kept;
}

// By PyTorch's rules a value that a loop only hands to itself stays, and a dead random number goes.
TEST(Dce, RulesSayWhatIsNoticed) {
  const char* text = R"(graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %p : float = prim::Constant[value=0.5]()
  %dead : Tensor = aten::bernoulli(%x, %none)
  %s : int, %u : int = prim::Loop(%n, %t, %n, %n)
    block0(%i : int, %s.1 : int, %u.1 : int):
      %s.2 : int = aten::add(%s.1, %i)
      %u.2 : int = aten::add(%u.1, %i)
      -> (%t, %s.2, %u.2)
  return (%s)
)";
  auto kept = parse(text);
  remove_dead_code(*kept);
  EXPECT_NE(kept->find_value("dead"), nullptr);
  EXPECT_EQ(kept->find_value("u.2"), nullptr);
  auto gone = parse(text);
  remove_dead_code(*gone,
                   {.has_effects = [](const Node*) { return false; }, .self_carried = false});
  EXPECT_EQ(gone->find_value("dead"), nullptr);
  EXPECT_NE(gone->find_value("u.2"), nullptr);
  for (const auto& graph : {kept, gone}) ensure_valid(*graph, "after dce");
}

// What a loop writes for the rounds to come is needed although nothing behind it reads it.
TEST(Dce, KeepsWritesThatTheNextRoundReads) {
  auto graph = parse(R"(graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %own : Tensor = aten::add(%x, %x, %one)
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %r.1 : Tensor):
      %r.2 : Tensor = aten::add(%r.1, %own, %one)
      %w : Tensor = aten::add_(%own, %x, %one)
      -> (%t, %r.2)
  %late : Tensor = aten::add_(%own, %x, %one)
  return (%r)
)");
  remove_dead_code(*graph);
  ensure_valid(*graph, "after dce");
  EXPECT_NE(graph->find_value("w"), nullptr);
  EXPECT_EQ(graph->find_value("late"), nullptr) << "nobody reads what it wrote";
}

}  // namespace
}  // namespace assay::ir
