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

}  // namespace
}  // namespace assay::ops
