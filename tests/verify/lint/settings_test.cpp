#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::scripted;
using testing::signs_by;
using testing::traced;
using testing::zeros;

/// x + ones_like(x) in line 3, with this device and element type written out.
std::string ones_like(const std::string& device, int dtype) {
  return fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %dtype : int = prim::Constant[value={}]()
  %device : Device = prim::Constant[value="{}"]()
  %zero : int = prim::Constant[value=0]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %o : Tensor = aten::ones_like(%x, %dtype, %zero, %device, %no, %none) # model.py:3:0
  %y : Tensor = aten::mul(%x, %o) # model.py:3:0
  return (%y)
)",
                     dtype, device);
}

TEST(PinnedDevice, OfACpuIsAPossibleOne) {
  auto signs = signs_by(RuleId::pinned_device, traced(ones_like("cpu", 6)));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].literal, "'cpu'");
  EXPECT_EQ(signs[0].line, 3);
}

TEST(PinnedDevice, ThatNotEveryMachineHasIsALikelyOne) {
  auto signs = signs_by(RuleId::pinned_device, traced(ones_like("cuda:0", 6)));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
}

TEST(PinnedDevice, OfAScriptIsANote) {
  auto signs = signs_by(RuleId::pinned_device, scripted(ones_like("cpu", 6)));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

TEST(PinnedDtype, MattersWhereItIsOfFloats) {
  auto signs = signs_by(RuleId::pinned_dtype, traced(ones_like("cpu", 6)));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].literal, "float32");
  EXPECT_EQ(signs[0].role, "dtype");
  EXPECT_TRUE(signs_by(RuleId::pinned_dtype, traced(ones_like("cpu", 4))).empty());
  EXPECT_TRUE(signs_by(RuleId::pinned_dtype, traced(ones_like("cpu", 77))).empty());
  EXPECT_TRUE(signs_by(RuleId::pinned_dtype, scripted(ones_like("cpu", 6))).empty());
}

/// dropout(x, p, train) at line 3 of a file.
std::string dropout(const std::string& p, bool train, const std::string& file) {
  return fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %p : float = prim::Constant[value={}]()
  %train : bool = prim::Constant[value={}]()
  %y : Tensor = aten::dropout(%x, %p, %train) # {}:3:0
  return (%y)
)",
                     p, train ? 1 : 0, file);
}

TEST(FrozenMode, OfALayerIsALikelyOne) {
  auto signs = signs_by(RuleId::frozen_mode, traced(dropout("0.5", true, "layer")));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].role, "train");
  EXPECT_EQ(signs[0].line, 3);
  signs = signs_by(RuleId::frozen_mode, traced(dropout("0.5", true, "model.py")));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(FrozenMode, ThatMakesNoDifferenceIsNone) {
  EXPECT_TRUE(signs_by(RuleId::frozen_mode, traced(dropout("0.5", false, "layer"))).empty());
  EXPECT_TRUE(signs_by(RuleId::frozen_mode, traced(dropout("0.", true, "layer"))).empty());
}

TEST(TrainingMode, IsThatOfTheSavedModule) {
  Program p = scripted(R"(graph(%self : __torch__.Net, %x : Tensor):
  %p : float = prim::Constant[value=0.5]()
  %layer : __torch__.Dropout = prim::GetAttr[name="drop"](%self)
  %train : bool = prim::GetAttr[name="training"](%layer)
  %y : Tensor = aten::dropout(%x, %p, %train) # model.py:3:0
  return (%y)
)");
  Weights weights = plain_weights();
  weights.attributes["drop.training"] = core::Value(true);
  auto signs = signs_by(RuleId::training_mode, p, weights);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  weights.attributes["drop.training"] = core::Value(false);
  EXPECT_TRUE(signs_by(RuleId::training_mode, p, weights).empty());
}

TEST(RandomNumbers, AreANote) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %none : NoneType = prim::Constant()
  %r : Tensor = aten::rand_like(%x, %none, %none, %none, %none, %none) # model.py:3:0
  return (%r)
)");
  auto signs = signs_by(RuleId::random_numbers, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
  EXPECT_TRUE(signs_by(RuleId::random_numbers, traced(dropout("0.5", false, "layer"))).empty());
}

TEST(UnknownOperator, IsNamed) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %y : Tensor = mylib::twist(%x) # model.py:3:0
  return (%y)
)");
  auto signs = signs_by(RuleId::unknown_operator, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].op, "mylib::twist");
  EXPECT_EQ(signs[0].line, 3);
}

}  // namespace
}  // namespace assay::verify::lint
