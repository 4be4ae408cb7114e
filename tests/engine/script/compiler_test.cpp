#include "engine/script/compiler.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/verify.h"

namespace assay::script {
namespace {

TEST(CompileSource, MakesClassesFromTheirInit) {
  ir::Unit unit;
  compile_source(unit,
                 "class Counter:\n"
                 "    def __init__(self, start: int):\n"
                 "        self.count = start\n"
                 "        self.names: List[str] = []\n"
                 "    def __len__(self) -> int:\n"
                 "        return self.count\n"
                 "    def add(self, name: str):\n"
                 "        self.count += 1\n"
                 "        self.names.append(name)\n"
                 "def f(n: int):\n"
                 "    c = Counter(n)\n"
                 "    c.add(f'item {n}')\n"
                 "    return len(c)\n");
  core::ClassTypePtr type = unit.find_class("__torch__.Counter");
  ASSERT_EQ(type->attributes().size(), 2u);
  EXPECT_EQ(type->attributes()[1].type->annotation(), "List[str]");
  EXPECT_EQ(unit.function("__torch__.f").schema().returns[0].type->annotation(), "int");
  for (const auto& function : unit.functions()) {
    for (const auto& violation : ir::verify(function->graph())) {
      ADD_FAILURE() << function->qualified_name() << " " << violation.rule << " "
                    << violation.message;
    }
  }
}

TEST(CompileSource, KnowsMathAndDtypes) {
  ir::Unit unit;
  compile_source(unit,
                 "def f(x: float) -> Tensor:\n"
                 "    y = math.sqrt(x) + math.pi\n"
                 "    return torch.tensor(y, dtype=torch.float64)\n");
  const ir::Graph& graph = unit.function("__torch__.f").graph();
  EXPECT_EQ(graph.find_all("aten::sqrt").size(), 1u);
  EXPECT_EQ(graph.find_all("aten::tensor").size(), 1u);
}

TEST(CompileSource, LeavesNothingBehindAfterAnError) {
  ir::Unit unit;
  EXPECT_THROW(compile_source(unit, "def f(x):\n    return x\ndef g(x):\n    return y\n"),
               base::Error);
  EXPECT_TRUE(unit.functions().empty());
  compile_source(unit, "def f(x):\n    return x\n");
  EXPECT_EQ(unit.functions().size(), 1u);
}

}  // namespace
}  // namespace assay::script
