#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/elements.h"
#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::signs_by;
using testing::traced;
using testing::zeros;

core::Tensor number(double value) {
  return core::tensor_from({core::Scalar(value)}, core::Dims{}, core::DType::float64);
}

/// The signs of (x @ weight) / value.
std::vector<Sign> signs_of_divisor(double value, core::Dims weight = {11, 13}) {
  Program p = traced(R"(graph(%self : __torch__.Net, %x : Tensor):
  %w : Tensor = prim::GetAttr[name="weight"](%self)
  %n : Tensor = prim::Constant[value=<Tensor>]()
  %y : Tensor = aten::matmul(%x, %w) # model.py:3:0
  %z : Tensor = aten::div(%y, %n) # model.py:4:0
  return (%z)
)",
                     {number(value)});
  Weights weights = plain_weights();
  weights.parameters = {{"weight", zeros(weight)}};
  return signs_by(RuleId::pinned_number, p, weights);
}

TEST(PinnedNumber, AnElementOfATensorIsALikelyOne) {
  // What item() gives of a float32: a fraction of 24 bits.
  auto signs = signs_of_divisor(static_cast<double>(0.48333335f));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].op, "aten::div");
  EXPECT_EQ(signs[0].line, 4);
}

TEST(PinnedNumber, WhatPeopleWriteIsNone) {
  for (double written : {0.5, 0.1, 0.125, 1e-5, -3e38, std::sqrt(2.0), 1 / std::sqrt(2.0), 1.0}) {
    EXPECT_TRUE(signs_of_divisor(written).empty()) << written;
  }
}

TEST(PinnedNumber, ARootOfASizeIsAPossibleOne) {
  for (double root : {std::sqrt(6.0), 1 / std::sqrt(6.0)}) {
    auto signs = signs_of_divisor(root);
    ASSERT_EQ(signs.size(), 1u) << root;
    EXPECT_EQ(signs[0].strength, Strength::possible);
    EXPECT_TRUE(signs_of_divisor(root, {4, 6}).empty()) << "the width of a layer";
    EXPECT_TRUE(signs_of_divisor(root, {4, 24}).empty()) << "the width of one of four heads";
  }
}

TEST(PinnedNumber, AWholeNumberIsANote) {
  auto signs = signs_of_divisor(4);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

/// sum(x, [1]) / 4
TEST(PinnedNumber, AMeanByHandIsAPossibleOne) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %one : int = prim::Constant[value=1]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %n : Tensor = prim::Constant[value=<Tensor>]()
  %dim : int[] = prim::ListConstruct(%one)
  %y : Tensor = aten::sum(%x, %dim, %no, %none) # model.py:3:0
  %z : Tensor = aten::div(%y, %n) # model.py:3:0
  return (%z)
)",
                     {number(4)});
  auto signs = signs_by(RuleId::pinned_number, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

/// x.shape[0] // 4: arithmetic with sizes follows them.
TEST(PinnedNumber, SizesAreWorkedOutWithNumbers) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %four : Tensor = prim::Constant[value=<Tensor>]()
  %n : int = aten::size(%x, %zero) # model.py:3:0
  %t : Tensor = prim::NumToTensor(%n) # model.py:3:0
  %h : Tensor = aten::floor_divide(%t, %four) # model.py:3:0
  return (%h)
)",
                     {number(4)});
  EXPECT_TRUE(signs_by(RuleId::pinned_number, p).empty());
}

}  // namespace
}  // namespace assay::verify::lint
