#include "verify/lint/flow.h"

#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::traced;
using testing::zeros;

size_t step_of(const Program& p, const std::string& op, size_t skip = 0) {
  for (size_t i = 0; i < p.steps.size(); ++i) {
    if (p.steps[i].op == op && skip-- == 0) return i;
  }
  ADD_FAILURE() << "no step " << op;
  return 0;
}

TEST(Flow, FollowsValuesAndSizesOfInputs) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %n : int = aten::size(%x, %zero)
  %many : Tensor = aten::arange(%n, %none, %none, %none, %none)
  %few : Tensor = aten::arange(%zero, %none, %none, %none, %none)
  return (%many, %few)
)");
  Weights weights = plain_weights();
  Flow flow(p, weights);
  EXPECT_TRUE(flow.follows_input(step_of(p, "aten::arange")));
  EXPECT_FALSE(flow.follows_input(step_of(p, "aten::arange", 1)));
  EXPECT_TRUE(flow.is_size(step_of(p, "aten::size")));
  EXPECT_FALSE(flow.is_size(step_of(p, "aten::arange")));
}

/// A table of zeros whose first row is written through a view.
TEST(Flow, FollowsWritesThroughViews) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %no : bool = prim::Constant[value=0]()
  %size : int[] = prim::ListConstruct(%zero, %zero)
  %table : Tensor = aten::zeros(%size, %none, %none, %none, %none)
  %other : Tensor = aten::zeros(%size, %none, %none, %none, %none)
  %row : Tensor = aten::select(%table, %zero, %zero)
  %written : Tensor = aten::copy_(%row, %x, %no)
  return (%table, %other)
)");
  Weights weights = plain_weights();
  Flow flow(p, weights);
  EXPECT_TRUE(flow.follows_input(step_of(p, "aten::zeros")));
  EXPECT_FALSE(flow.follows_input(step_of(p, "aten::zeros", 1)));
}

TEST(Flow, ABranchFollowsItsCondition) {
  Program p = testing::scripted(R"(graph(%self : NoneType, %flag : bool):
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %n : int = prim::If(%flag)
    block0():
      -> (%one)
    block1():
      -> (%two)
  return (%n)
)");
  Weights weights = plain_weights();
  EXPECT_TRUE(Flow(p, weights).follows_input(step_of(p, "prim::If")));
}

TEST(Flow, AListServesItsReader) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %two : int = prim::Constant[value=2]()
  %size : int[] = prim::ListConstruct(%two, %two)
  %y : Tensor = aten::reshape(%x, %size)
  return (%y)
)");
  Weights weights = plain_weights();
  Flow::Place use = Flow(p, weights).served({step_of(p, "prim::ListConstruct"), 1});
  EXPECT_EQ(use.step, step_of(p, "aten::reshape"));
  EXPECT_EQ(use.operand, 1u);
}

/// Two linear layers: x -> relu -> first -> tanh -> second.
TEST(Flow, TheNearestWeightsEachWayAreNear) {
  Program p = traced(R"(graph(%self : __torch__.Net, %x : Tensor):
  %w.1 : Tensor = prim::GetAttr[name="first"](%self)
  %w.2 : Tensor = prim::GetAttr[name="second"](%self)
  %a : Tensor = aten::relu(%x)
  %t.1 : Tensor = aten::t(%w.1)
  %b : Tensor = aten::matmul(%a, %t.1)
  %c : Tensor = aten::tanh(%b)
  %d : Tensor = aten::matmul(%c, %w.2)
  %e : Tensor = aten::relu(%d)
  return (%e)
)");
  Weights weights = plain_weights();
  weights.parameters = {{"first", zeros({5, 3})}, {"second", zeros({5, 7})}};
  Flow flow(p, weights);
  using Dims = std::set<int64_t>;
  EXPECT_EQ(flow.dims_near(step_of(p, "aten::relu")), (Dims{3, 5}));
  EXPECT_EQ(flow.dims_near(step_of(p, "aten::tanh")), (Dims{3, 5, 7}));
  EXPECT_EQ(flow.dims_near(step_of(p, "aten::relu", 1)), (Dims{5, 7}));
  EXPECT_TRUE(flow.reads_weights(step_of(p, "aten::matmul")));
  EXPECT_FALSE(flow.reads_weights(step_of(p, "aten::tanh")));
}

}  // namespace
}  // namespace assay::verify::lint
