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

}  // namespace
}  // namespace assay::ir
