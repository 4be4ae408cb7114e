#include "engine/ir/alias.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

TEST(Alias, FollowsAnnotationsAndContainers) {
  auto graph = parse(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %l : Tensor[] = prim::ListConstruct(%a)
  %c : Tensor = aten::add_(%b, %x, %one)
  return (%l)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  EXPECT_TRUE(alias.may_escape(value("x")));
  EXPECT_FALSE(alias.may_share(value("a"), value("x")));
  EXPECT_TRUE(alias.may_share(value("a"), value("l")));
  EXPECT_TRUE(alias.may_share(value("b"), value("c")));
  EXPECT_TRUE(alias.is_written(value("b")));
  EXPECT_FALSE(alias.is_written(value("a")));
}

}  // namespace
}  // namespace assay::ir
