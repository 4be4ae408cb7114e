#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::signs_by;
using testing::traced;
using testing::zeros;

/// x + arange(n), in line 3.
Program added_positions(const std::string& n) {
  return traced(fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %n : int = prim::Constant[value={}]()
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %p : Tensor = aten::arange(%n, %none, %none, %none, %none) # model.py:3:0
  %y : Tensor = aten::add(%x, %p, %one) # model.py:3:0
  return (%y)
)",
                            n));
}

/// reshape(x, [...]) in line 3; a size of x is "_".
Program reshaped(const std::vector<std::string>& sizes, const char* file = "model.py") {
  std::string text = "graph(%self : __torch__.Net, %x : Tensor):\n";
  text += "  %zero : int = prim::Constant[value=0]()\n";
  text += "  %w : Tensor = prim::GetAttr[name=\"weight\"](%self)\n";
  text += "  %free : int = aten::size(%x, %zero)\n";
  std::string list;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string name = sizes[i] == "_" ? "%free" : fmt::format("%s.{}", i);
    list += (i > 0 ? ", " : "") + name;
    if (sizes[i] == "_") continue;
    text += fmt::format("  {} : int = prim::Constant[value={}]()\n", name, sizes[i]);
  }
  text += "  %size : int[] = prim::ListConstruct(" + list + ")\n";
  text += fmt::format("  %y : Tensor = aten::reshape(%x, %size) # {}:3:0\n", file);
  text += "  %z : Tensor = aten::matmul(%y, %w) # model.py:4:0\n  return (%z)\n";
  return traced(text);
}

std::vector<Sign> signs_of_size(const Program& program, core::Dims weight) {
  Weights weights = plain_weights();
  weights.parameters = {{"weight", zeros(weight)}};
  return signs_by(RuleId::pinned_size, program, weights);
}

TEST(PinnedSize, ATensorThatIsMadeOfANumberIsALikelyOne) {
  auto signs = signs_by(RuleId::pinned_size, added_positions("7"));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].op, "aten::arange");
  EXPECT_EQ(signs[0].role, "end");
  EXPECT_EQ(signs[0].literal, "7");
  EXPECT_EQ(signs[0].file, "model.py");
  EXPECT_EQ(signs[0].line, 3);
  EXPECT_EQ(signs[0].function, "forward");
  EXPECT_EQ(signs[0].method, "forward");
}

TEST(PinnedSize, ConstantCutsArePossibleOnesUnlessWeightsExplainThem) {
  Program cut = traced(R"(graph(%self : __torch__.Net, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %n : int = prim::Constant[value=3]()
  %w : Tensor = prim::GetAttr[name="weight"](%self)
  %cuts : int[] = prim::ListConstruct(%n)
  %y : Tensor = aten::matmul(%x, %w) # model.py:2:0
  %parts : Tensor[] = aten::tensor_split(%y, %cuts, %zero) # model.py:3:0
  %a : Tensor, %b : Tensor = prim::ListUnpack(%parts)
  %z : Tensor = aten::matmul(%a, %w) # model.py:4:0
  return (%z)
)");
  auto signs = signs_of_size(cut, {4, 4});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].role, "indices");
  EXPECT_EQ(signs[0].literal, "[3]");
  EXPECT_TRUE(signs_of_size(cut, {6, 6}).empty());
}

TEST(PinnedSize, SmallNumbersSayLess) {
  auto signs = signs_by(RuleId::pinned_size, added_positions("3"));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_TRUE(signs_by(RuleId::pinned_size, added_positions("1")).empty());
}

TEST(PinnedSize, ABatchThatIsANumberIsALikelyOne) {
  auto signs = signs_of_size(reshaped({"2", "-1"}), {11, 13});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].literal, "[2, -1]");
  signs = signs_of_size(reshaped({"1", "-1"}), {11, 13});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(PinnedSize, NumbersAmongSizesOfTheInputAreLikelyOnes) {
  auto signs = signs_of_size(reshaped({"_", "7", "-1"}), {11, 13});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].literal, "[_, 7, -1]");
  // Where 7 divides what a layer gives, it may be so many of its parts.
  signs = signs_of_size(reshaped({"_", "7", "-1"}), {11, 21});
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(PinnedSize, WeightsExplainNumbers) {
  EXPECT_TRUE(signs_of_size(reshaped({"_", "13"}), {11, 13}).empty());
  // Heads and their width.
  EXPECT_TRUE(signs_of_size(reshaped({"_", "_", "3", "4"}), {12, 36}).empty());
  EXPECT_TRUE(signs_of_size(reshaped({"_", "3", "3", "_"}), {12, 36}).empty());
  EXPECT_FALSE(signs_of_size(reshaped({"_", "_", "3", "5"}), {12, 36}).empty());
}

TEST(PinnedSize, WhatLayersAreSetToIsNone) {
  EXPECT_TRUE(signs_of_size(reshaped({"2", "7"}, "layer"), {11, 13}).empty());
}

TEST(PinnedSize, WhatScriptsSayTheirAuthorWrote) {
  std::string text = R"(graph(%self : NoneType, %x : Tensor):
  %n : int = prim::Constant[value=7]()
  %size : int[] = prim::ListConstruct(%n, %n)
  %y : Tensor = aten::reshape(%x, %size) # model.py:3:0
  return (%y)
)";
  EXPECT_EQ(signs_by(RuleId::pinned_size, traced(text)).size(), 1u);
  EXPECT_TRUE(signs_by(RuleId::pinned_size, testing::scripted(text)).empty());
}

/// x[:end] in line 3.
std::vector<Sign> signs_of_end(const std::string& end) {
  return signs_by(RuleId::pinned_size, traced(fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %end : int = prim::Constant[value={}]()
  %y : Tensor = aten::slice(%x, %zero, %zero, %end, %one) # model.py:3:0
  return (%y)
)",
                                                          end)));
}

TEST(PinnedSize, TheEndOfASliceIsAPossibleOne) {
  auto signs = signs_of_end("5");
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].role, "end");
  EXPECT_TRUE(signs_of_end("9223372036854775807").empty());
  EXPECT_TRUE(signs_of_end("-1").empty());
}

/// x[top:bottom] in line 3, where top is worked out from a size of x, and bottom is top + 6 or not.
std::vector<Sign> signs_of_cut(const char* bottom) {
  return signs_by(RuleId::pinned_size, traced(fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %six : int = prim::Constant[value=6]()
  %two : Long(requires_grad=0, device=cpu) = prim::Constant[value={{2}}]()
  %n : int = aten::size(%x, %zero)
  %size : Tensor = prim::NumToTensor(%n)
  %top : Tensor = aten::floor_divide(%size, %two)
  %start : int = aten::Int(%top)
  %bottom : Tensor = {}
  %end : int = aten::Int(%bottom)
  %y : Tensor = aten::slice(%x, %zero, %start, %end, %one) # model.py:3:0
  return (%y)
)",
                                                          bottom)));
}

TEST(PinnedSize, ANumberOfElementsThatIsCutOutIsAPossibleOne) {
  auto signs = signs_of_cut("aten::add(%top, %six, %one)");
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].role, "end");
  EXPECT_EQ(signs[0].literal, "6");
  EXPECT_TRUE(signs_of_cut("aten::add(%top, %top, %one)").empty());
  EXPECT_TRUE(signs_of_cut("aten::sub(%size, %six, %one)").empty());
}

/// Padding of a row by these at its ends, in line 3.
std::vector<Sign> signs_of_padding(int left, int right) {
  return signs_by(RuleId::pinned_size, traced(fmt::format(R"(graph(%self : NoneType, %x : Tensor):
  %l : int = prim::Constant[value={}]()
  %r : int = prim::Constant[value={}]()
  %zero : int = prim::Constant[value=0]()
  %pad : int[] = prim::ListConstruct(%l, %r)
  %y : Tensor = aten::constant_pad_nd(%x, %pad, %zero) # model.py:3:0
  return (%y)
)",
                                                          left, right)));
}

TEST(PinnedSize, UnevenPaddingSaysMoreThanEven) {
  ASSERT_EQ(signs_of_padding(1, 0).size(), 1u);
  EXPECT_EQ(signs_of_padding(1, 0)[0].strength, Strength::possible);
  ASSERT_EQ(signs_of_padding(2, 2).size(), 1u);
  EXPECT_EQ(signs_of_padding(2, 2)[0].strength, Strength::note);
  EXPECT_TRUE(signs_of_padding(0, 0).empty());
}

}  // namespace
}  // namespace assay::verify::lint
