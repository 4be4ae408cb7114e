#include "verify/graph/align.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::verify {
namespace {

/// y = relu(x + literal) at one source line each, the second line `extra` times.
Program program(const std::string& literal, int extra = 1) {
  std::string text = "graph(%self : NoneType,\n      %x.1 : Tensor):\n";
  text += "  %c : int = prim::Constant[value=" + literal + "]()\n";
  text += "  %o : int = prim::Constant[value=1]()\n";
  text += "  %a : Tensor = aten::add(%x.1, %c, %o) # model.py:3:4\n";
  std::string last = "%a";
  for (int i = 0; i < extra; ++i) {
    std::string name = "%r" + std::string(1, static_cast<char>('a' + i));
    text += "  " + name + " : Tensor = aten::relu(" + last + ") # model.py:4:4\n";
    last = name;
  }
  text += "  return (" + last + ")\n";
  return flatten(ir::parse(text));
}

TEST(Program, FoldsConstantsIntoOperands) {
  Program p = program("7");
  ASSERT_EQ(p.steps.size(), 3u);  // add, relu, end
  EXPECT_EQ(p.steps[0].op, "aten::add");
  EXPECT_EQ(p.steps[0].line, 3);
  EXPECT_EQ(p.steps[0].operands[0].kind, Operand::Kind::input);
  EXPECT_EQ(p.steps[0].operands[1].literal.to_int(), 7);
  EXPECT_EQ(role_of(p, 0, 1), "other");
}

TEST(Align, EqualProgramsHaveNoDifference) {
  EXPECT_TRUE(align(program("7"), program("7")).equal());
}

TEST(Align, NamesTheLiteralThatDiffers) {
  Program a = program("7"), b = program("11");
  Alignment found = align(a, b);
  ASSERT_EQ(found.differences.size(), 1u);
  const GraphDifference& d = found.differences[0];
  EXPECT_EQ(d.kind, GraphDifference::Kind::literal);
  EXPECT_EQ(d.literal_a.to_int(), 7);
  EXPECT_EQ(d.literal_b.to_int(), 11);
  std::string text = difference_text(a, b, found);
  EXPECT_NE(text.find("- aten::add(_, 7, 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("+ aten::add(_, 11, 1)"), std::string::npos) << text;
}

TEST(Align, KeepsCounterpartsAroundRepeatedSteps) {
  Program a = program("7", 2), b = program("7", 5);
  Alignment found = align(a, b);
  ASSERT_FALSE(found.equal());
  size_t extra = 0;
  for (const auto& d : found.differences) {
    if (d.kind == GraphDifference::Kind::structure) extra += d.end_b - d.begin_b;
  }
  EXPECT_EQ(extra, 3u);
  EXPECT_EQ(found.to_b[0], 0u);
}

TEST(Literal, ComparesByKindAndValue) {
  EXPECT_TRUE(same_literal(core::Value(1), core::Value(1)));
  EXPECT_FALSE(same_literal(core::Value(1), core::Value(1.0)));
  core::Tensor a = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  core::Tensor b = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  a.data<float>()[0] = b.data<float>()[0] = 1;
  a.data<float>()[1] = 2, b.data<float>()[1] = 3;
  EXPECT_FALSE(same_literal(a, b));
  b.data<float>()[1] = 2;
  EXPECT_TRUE(same_literal(a, b));
}

}  // namespace
}  // namespace assay::verify
