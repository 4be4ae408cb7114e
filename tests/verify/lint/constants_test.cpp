#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::signs_by;
using testing::traced;
using testing::zeros;

/// x - a constant, in line 3.
Program less_constant(const core::Tensor& constant) {
  return traced(R"(graph(%self : NoneType, %x : Tensor):
  %c : Tensor = prim::Constant[value=<Tensor>]()
  %one : int = prim::Constant[value=1]()
  %y : Tensor = aten::sub(%x, %c, %one) # model.py:3:0
  return (%y)
)",
                {constant});
}

TEST(CapturedTensor, AConstantIsALikelyOne) {
  auto signs = signs_by(RuleId::captured_tensor, less_constant(zeros({3, 4})));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].literal, "tensor float32[3, 4]");
  EXPECT_EQ(signs[0].role, "other");
  EXPECT_EQ(signs[0].line, 3);
}

TEST(CapturedTensor, NumbersForEachColourArePossibleOnes) {
  auto signs = signs_by(RuleId::captured_tensor, less_constant(zeros({3, 1, 1})));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(CapturedTensor, ANumberIsNone) {
  EXPECT_TRUE(signs_by(RuleId::captured_tensor, less_constant(zeros({}))).empty());
}

TEST(CapturedTensor, OfAFrozenArchiveIsANote) {
  auto signs = signs_by(RuleId::captured_tensor, less_constant(zeros({3, 4})), Weights());
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

/// torch.tensor([...]) in line 3, as PyTorch 1.13 traces it.
TEST(CapturedTensor, AListOfNumbersIsAPossibleOne) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %c : Tensor = prim::Constant[value=<Tensor>]()
  %cpu : Device = prim::Constant[value="cpu"]()
  %long : int = prim::Constant[value=4]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %t : Tensor = aten::to(%c, %cpu, %long, %no, %no, %none) # model.py:3:0
  %y : Tensor = aten::mul(%x, %t) # model.py:3:0
  return (%y)
)",
                     {zeros({2}, core::DType::int64)});
  auto signs = signs_by(RuleId::captured_tensor, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(ConstantOutput, FollowsNoInput) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %none : NoneType = prim::Constant()
  %seven : int = prim::Constant[value=7]()
  %a : Tensor = aten::relu(%x) # model.py:3:0
  %b : Tensor = aten::arange(%seven, %none, %none, %none, %none) # model.py:4:0
  %out : (Tensor, Tensor) = prim::TupleConstruct(%a, %b)
  return (%out)
)");
  auto signs = signs_by(RuleId::constant_output, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].line, 4);
}

TEST(ConstantOutput, AWeightThatIsGivenBackIsANote) {
  Program p = traced(R"(graph(%self : __torch__.Net, %x : Tensor):
  %w : Tensor = prim::GetAttr[name="scale"](%self)
  return (%w)
)");
  Weights weights = plain_weights();
  weights.parameters = {{"scale", zeros({1})}};
  auto signs = signs_by(RuleId::constant_output, p, weights);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

TEST(ConstantOutput, AMethodWithoutInputsHasNoOther) {
  Program p = traced(R"(graph(%self : NoneType):
  %c : Tensor = prim::Constant[value=<Tensor>]()
  return (%c)
)",
                     {zeros({2})});
  EXPECT_TRUE(signs_by(RuleId::constant_output, p).empty());
}

}  // namespace
}  // namespace assay::verify::lint
