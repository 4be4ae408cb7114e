#include "engine/ir/function.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

std::shared_ptr<Graph> sum() {
  return parse(
      "graph(%self : __torch__.Net, %x.1 : Tensor, %n.2 : int):\n"
      "  %one : int = prim::Constant[value=1]()\n"
      "  %y : Tensor = aten::add(%x.1, %n.2, %one)\n  return (%y)\n");
}

TEST(Function, SignatureOfAGraphWhereNoneWasSet) {
  Function function("__torch__.Net.forward", sum());
  EXPECT_EQ(function.name(), "forward");
  EXPECT_FALSE(function.has_schema());
  EXPECT_EQ(function.schema().str(), "forward(__torch__.Net self, Tensor x, int n) -> Tensor");
}

TEST(Function, IsDefinedOnFirstUseAndOnce) {
  int made = 0;
  Function function("f", [&](Function& f) {
    ++made;
    f.set_graph(sum());
  });
  EXPECT_FALSE(function.is_defined());
  EXPECT_EQ(made, 0);
  EXPECT_EQ(&function.graph(), &function.graph());
  EXPECT_EQ(made, 1);
  EXPECT_TRUE(function.is_defined());
}

TEST(Function, ADefinitionThatNeedsItselfIsRefused) {
  Function function("__torch__.f", [](Function& f) { f.graph(); });
  try {
    function.graph();
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message(), "function 'f' is called recursively. Recursive calls are not supported");
  }
}

TEST(Function, ADefinitionThatFailedMayBeTriedAgain) {
  bool broken = true;
  Function function("f", [&](Function& f) {
    if (broken) base::fail("not yet");
    f.set_graph(sum());
  });
  EXPECT_THROW(function.graph(), base::Error);
  broken = false;
  EXPECT_NO_THROW(function.graph());
}

TEST(Function, VersionsTellStaleCompilations) {
  Function one("f", sum()), other("f", sum());
  EXPECT_NE(one.version(), other.version());
  uint64_t before = one.version();
  one.graph();
  EXPECT_EQ(one.version(), before);
  one.touch();
  EXPECT_NE(one.version(), before);
}

}  // namespace
}  // namespace assay::ir
