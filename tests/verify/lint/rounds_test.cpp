#include "verify/lint/rounds.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

/// A step select(x, 0, n) for each of these.
Program selecting(const std::vector<int>& numbers) {
  std::string text = "graph(%self : NoneType, %x : Tensor):\n";
  text += "  %d : int = prim::Constant[value=0]()\n";
  for (size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("  %n.{} : int = prim::Constant[value={}]()\n", i, numbers[i]);
    text += fmt::format("  %s.{0} : Tensor = aten::select(%x, %d, %n.{0}) # m.py:3:0\n", i);
  }
  return testing::traced(text + "  return (%x)\n");
}

std::optional<Counter> counter_of(const std::vector<int>& numbers) {
  Program p = selecting(numbers);
  Weights weights = testing::plain_weights();
  Flow flow(p, weights);
  Starts all(numbers.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return counter_in(View("forward", p, flow, weights), all);
}

TEST(Counter, RisesByTheSame) {
  auto found = counter_of({0, 1, 2, 3});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->steps.size(), 4u);
  EXPECT_EQ(found->operand, 2u);
  found = counter_of({9, 4, 8, 12, 3});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 4);
  EXPECT_EQ(found->last, 12);
  EXPECT_FALSE(counter_of({0, 1, 3, 4, 6}));
  EXPECT_FALSE(counter_of({3, 2, 1, 0}));
  EXPECT_FALSE(counter_of({5, 5, 5, 5}));
  EXPECT_FALSE(counter_of({0, 1}));
}

TEST(Counter, RisesInEverySecondStep) {
  auto found = counter_of({0, 7, 1, 7, 2, 7});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->steps, (Starts{0, 2, 4}));
}

TEST(Counter, AnOuterLoopHasManyInnerOnes) {
  auto found = counter_of({0, 1, 2, 0, 1, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->steps, (Starts{0, 1, 2}));
}

TEST(Chain, WorksOnWhatTheOneBeforeGave) {
  Program p = testing::traced(R"(graph(%self : NoneType, %x : Tensor):
  %a : Tensor = aten::relu(%x)
  %b : Tensor = aten::tanh(%a)
  %c : Tensor = aten::relu(%b)
  %d : Tensor = aten::relu(%x)
  return (%c, %d)
)");
  Weights weights = testing::plain_weights();
  Flow flow(p, weights);
  View view("forward", p, flow, weights);
  EXPECT_TRUE(is_chain(view, {0, 2}));
  EXPECT_FALSE(is_chain(view, {0, 2, 3}));
}

}  // namespace
}  // namespace assay::verify::lint
