#include "engine/trace/expression.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::trace {
namespace {

std::string of(const std::string& body) { return expression_of(ir::parse(body)->outputs().at(0)); }

TEST(Expression, sizes_and_signs_are_pythons) {
  EXPECT_EQ(of(R"(graph(%x.1 : Tensor):
  %1 : int = prim::Constant[value=0]()
  %2 : int = aten::size(%x.1, %1)
  %3 : Tensor = prim::NumToTensor(%2)
  %4 : Long(requires_grad=0, device=cpu) = prim::Constant[value={2}]()
  %5 : Tensor = aten::floor_divide(%3, %4)
  %6 : Tensor = aten::mul(%5, %5)
  return (%6)
)"),
            "(x.size(0) // 2) * (x.size(0) // 2)");
}

TEST(Expression, lists_are_pythons) {
  EXPECT_EQ(of(R"(graph(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : int[] = prim::ListConstruct(%1, %1)
  %3 : Tensor = aten::permute(%x, %2)
  return (%3)
)"),
            "permute(x, [1, 1])");
}

TEST(Expression, other_operators_are_calls_without_what_was_left_out) {
  EXPECT_EQ(of(R"(graph(%x : Tensor):
  %1 : NoneType = prim::Constant()
  %2 : Tensor = aten::sum(%x, %1)
  return (%2)
)"),
            "sum(x)");
}

TEST(Expression, what_nests_too_deeply_is_left_out) {
  std::string text = "graph(%x : Tensor):\n  %v0 : Tensor = aten::neg(%x)\n";
  for (int i = 1; i < 30; ++i) {
    text += "  %v" + std::to_string(i) + " : Tensor = aten::neg(%v" + std::to_string(i - 1) + ")\n";
  }
  std::string made = of(text + "  return (%v29)\n");
  EXPECT_NE(made.find("..."), std::string::npos);
  EXPECT_LT(made.size(), 60u);
}

TEST(Expression, inputs_that_are_called_alike_are_told_by_position) {
  EXPECT_EQ(of(R"(graph(%self : Tensor, %input.1 : Tensor, %input.2 : Tensor, %y : Tensor):
  %1 : Tensor = aten::where(%input.2, %y, %input.1)
  return (%1)
)"),
            "where(input_2, y, input_1)");
}

}  // namespace
}  // namespace assay::trace
