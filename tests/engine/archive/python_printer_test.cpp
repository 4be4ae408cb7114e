#include "engine/archive/python_printer.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/script/compiler.h"

namespace assay::archive {
namespace {

/// The source of function f, and what it mentions.
struct Printed {
  explicit Printed(const std::string& source) {
    ir::Unit unit;
    script::compile_source(unit, source);
    PythonPrinter printer(context, unit);
    printer.print_function(unit.function("__torch__.f"));
    text = printer.text().text;
  }
  PythonContext context;
  std::string text;
};

/// PyTorch 1.13: torch.jit.script of the function, then .code.
TEST(PythonPrinter, WritesFunctionsAsPyTorchDoes) {
  EXPECT_EQ(Printed("def f(x: Tensor, n: int) -> Tensor:\n  return x * 2 + n\n").text,
            "def f(x: Tensor,\n    n: int) -> Tensor:\n"
            "  return torch.add(torch.mul(x, 2), n)\n");
  EXPECT_EQ(Printed("def f(x: Tensor) -> Tensor:\n  if bool(x.sum() > 0):\n    y = x\n  else:\n"
                    "    y = -x\n  return y\n")
                .text,
            "def f(x: Tensor) -> Tensor:\n  if bool(torch.gt(torch.sum(x), 0)):\n    y = x\n"
            "  else:\n    y = torch.neg(x)\n  return y\n");
}

/// Constants that the language cannot write go to a table; the same tensor once.
TEST(PythonPrinter, TensorsGoToTheTable) {
  auto graph =
      ir::parse(R"(graph(%x : Tensor):
  %c : Tensor = prim::Constant[value=<Tensor>]()
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %c, %one)
  %b : Tensor = aten::add(%a, %c, %one)
  return (%b)
)",
                {.resolve_type = {},
                 .tensors = {core::Tensor::empty(core::Dims{2, 3}, core::DType::float32)}});
  ir::Unit unit;
  PythonContext context;
  PythonPrinter printer(context, unit);
  printer.print_function(unit.define_function("__torch__.f", graph));
  EXPECT_EQ(context.constants.size(), 1u);
  EXPECT_NE(printer.text().text.find("CONSTANTS.c0"), std::string::npos) << printer.text().text;
  EXPECT_EQ(printer.text().text.find("CONSTANTS.c1"), std::string::npos);
}

TEST(PythonPrinter, CallsOfUnknownOperatorsAreWrittenAsTheyWereRead) {
  auto graph = ir::parse(R"(graph(%x : Tensor):
  %yes : bool = prim::Constant[value=1]()
  %u : Tensor, %s : Tensor = aten::frobnicate[keywords=["driver", "full"]](%x, %x, %yes)
  %y : Tensor = mine::scale(%u, %s)
  return (%y)
)");
  ir::Unit unit;
  PythonContext context;
  PythonPrinter printer(context, unit);
  printer.print_function(unit.define_function("__torch__.f", graph));
  EXPECT_EQ(printer.text().text,
            "def f(x: Tensor) -> Tensor:\n"
            "  u, s = torch.frobnicate(x, driver=x, full=True)\n"
            "  return ops.mine.scale(u, s)\n");
}

TEST(PythonPrinter, ConstantsThatUnfoldWithoutEndAreRefused) {
  core::Value list(std::string(4096, 'a'));
  for (int i = 0; i < 40; ++i) {
    list = core::Value(core::make_list(core::any_type(), {list, list}));
  }
  auto graph = std::make_shared<ir::Graph>();
  graph->add_output(ir::Builder(*graph).constant(list));
  ir::Unit unit;
  PythonContext context;
  PythonPrinter printer(context, unit);
  try {
    printer.print_function(unit.define_function("__torch__.f", graph));
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_NE(e.message().find("text is longer than"), std::string::npos) << e.message();
  }
}

TEST(PythonPrinter, TellsWhatItMentioned) {
  Printed printed(
      "def g(x: Tensor) -> Tensor:\n  return x.relu()\n"
      "def f(x: Tensor) -> Tensor:\n  return g(x)\n");
  EXPECT_EQ(printed.context.dependencies.functions(), std::vector<std::string>{"__torch__.g"});
  EXPECT_TRUE(printed.context.dependencies.types().empty());
}

TEST(PythonPrinter, TypesThatCannotBeWrittenInPythonAreNot) {
  Dependencies dependencies;
  auto leaf = std::make_shared<core::ClassType>("__torch__.A");
  dependencies.add_type(core::list_of(core::optional_of(core::dict_of(core::string_type(), leaf))));
  dependencies.add_type(leaf);
  ASSERT_EQ(dependencies.types().size(), 1u);
  EXPECT_EQ(dependencies.types()[0]->name(), "__torch__.A");
}

/// What is written compiles to a graph that is written the same. (Programs whose text needs words
/// of archives alone, such as unchecked_cast, are those of the round trip through an archive.)
class Rewritten : public ::testing::TestWithParam<const char*> {};

TEST_P(Rewritten, GivesTheSameText) {
  Printed once(GetParam());
  Printed twice(once.text);
  EXPECT_EQ(once.text, twice.text);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Rewritten,
    ::testing::Values(
        "def f(x: Tensor, n: int) -> Tensor:\n  for i in range(n):\n    x = x + i\n  return x\n",
        "def f(x: Tensor) -> Tensor:\n  i = 0\n  while bool(x.sum() < 10):\n    x = x + i\n"
        "    i += 1\n  return x\n",
        "def f(x: Tensor) -> Tuple[Tensor, List[int]]:\n  return x, [1, 2, x.size(0)]\n",
        "def f(d: Dict[str, float]) -> float:\n  return d['a'] + float('inf')\n",
        "def f(s: str) -> str:\n  return s + '\\n\\x00\\'\"'\n",
        "def f(x: List[Tensor]) -> Tensor:\n  a, b = x\n  return a[0, 1:, None, ...] @ b\n"));

}  // namespace
}  // namespace assay::archive
