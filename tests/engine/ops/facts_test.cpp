#include "engine/ops/facts.h"

#include <gtest/gtest.h>

#include "engine/ops/catalog.h"

namespace assay::ops {
namespace {

template <typename Check>
void for_each_operator(Check check) {
  for (size_t id = 0; id < catalog_rows().size(); ++id) {
    SCOPED_TRACE(operator_of(id).qualified_name);
    check(operator_of(id));
  }
}

TEST(Facts, AnOperatorThatGivesAndWritesNothingHasAnEffect) {
  for_each_operator([](const Operator& op) {
    if (op.schema.returns.empty() && !op.schema.is_mutable() && !op.schema.varret) {
      EXPECT_GE(op.effect(), Effect::raises);
    }
  });
}

TEST(Facts, OfAVariantAreTheFunctionalRows) {
  const Operator& in_place = get_operator("aten::addcmul_");
  EXPECT_EQ(in_place.devices(), Devices::same_device);
  EXPECT_EQ(get_operator("aten::mul.Scalar").layout(), Layout::joins_layouts);
}

TEST(Facts, ComeFromTheRuleWhereARowSaysNothing) {
  EXPECT_EQ(get_operator("aten::add.Tensor").devices(), Devices::scalars_follow);
  EXPECT_EQ(get_operator("aten::mm").devices(), Devices::same_device);
  EXPECT_EQ(get_operator("aten::exp").layout(), Layout::joins_layouts);
  EXPECT_EQ(get_operator("aten::softmax.int").layout(), Layout::needs_rows);
  EXPECT_EQ(get_operator("aten::max_pool2d").layout(), Layout::keeps_layout);
}

TEST(Facts, FreshTensorsShareNothing) {
  EXPECT_TRUE(get_operator("aten::add.Tensor").gives_fresh_tensors());
  EXPECT_TRUE(get_operator("aten::cat").gives_fresh_tensors());
  EXPECT_FALSE(get_operator("aten::add_.Tensor").gives_fresh_tensors());
  EXPECT_FALSE(get_operator("aten::view").gives_fresh_tensors());
  EXPECT_FALSE(get_operator("aten::dropout").gives_fresh_tensors());
  EXPECT_FALSE(get_operator("aten::size").gives_fresh_tensors());
}

TEST(Facts, WhatMayBeAnArgumentIsNoFreshTensor) {
  for (const char* name : {"aten::to.dtype", "aten::type_as", "aten::dropout", "aten::real"}) {
    const Operator& op = get_operator(name);
    EXPECT_EQ(op.sharing(), Sharing::may_be_argument) << name;
    EXPECT_FALSE(op.gives_fresh_tensors()) << name;
    EXPECT_TRUE(op.may_share_argument(0)) << name;
    EXPECT_FALSE(op.may_share_argument(1)) << name;
  }
  EXPECT_TRUE(get_operator("aten::einsum").may_share_argument(1));
  EXPECT_FALSE(get_operator("aten::add.Tensor").may_share_argument(0));
}

TEST(Facts, GradientsGoByTheSchemaWhereARowSaysNothing) {
  EXPECT_EQ(get_operator("aten::add.Tensor").gradients(), Gradients::from_any);
  EXPECT_EQ(get_operator("aten::add_.Tensor").gradients(), Gradients::from_any);
  EXPECT_EQ(get_operator("aten::add.out").gradients(), Gradients::never);
  EXPECT_EQ(get_operator("aten::zeros_like").gradients(), Gradients::never);
  EXPECT_EQ(get_operator("aten::to.dtype_layout").gradients(), Gradients::from_first);
  EXPECT_EQ(get_operator("aten::meshgrid").gradients(), Gradients::from_each);
  EXPECT_TRUE(get_operator("aten::detach").cuts_gradients());
  EXPECT_TRUE(get_operator("aten::detach_").cuts_gradients());
}

TEST(Facts, OnlySomeResultsHaveNoGradientOfTheirOwn) {
  const Operator& lu = get_operator("aten::linalg_lu");
  EXPECT_FALSE(lu.is_differentiable(0));
  EXPECT_TRUE(lu.is_differentiable(1));
  const Operator& solved = get_operator("aten::linalg_lstsq");
  EXPECT_TRUE(solved.is_differentiable(0));
  EXPECT_FALSE(solved.is_differentiable(3));
}

TEST(Facts, SideResultsAreResults) {
  for_each_operator([](const Operator& op) {
    unsigned places = op.functional->row->side_results.places;
    EXPECT_EQ(places >> op.schema.returns.size(), 0u);
  });
}

TEST(Facts, ValuesAreKeptFromAnArgument) {
  for_each_operator([](const Operator& op) {
    if (op.keeps_values()) {
      EXPECT_FALSE(op.schema.arguments.empty());
      EXPECT_EQ(op.schema.returns.size(), 1u);
    }
  });
  EXPECT_TRUE(get_operator("prim::NumToTensor.Scalar").keeps_values());
  EXPECT_FALSE(get_operator("aten::to.dtype").keeps_values());
}

}  // namespace
}  // namespace assay::ops
