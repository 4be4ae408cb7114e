#include "verify/lint/weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/elements.h"
#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::zeros;

/// So many numbers from `first` on, and `odd` in the place of the second.
core::Tensor counted(double first, double odd, core::DType dtype) {
  std::vector<core::Scalar> items;
  for (int i = 0; i < 16; ++i) items.emplace_back(first + i);
  items[1] = core::Scalar(odd);
  return core::tensor_from(items, core::Dims{4, 4}, dtype);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(BrokenWeights, HoldNanOrInfinityInEveryElementType) {
  for (core::DType dtype :
       {core::DType::float16, core::DType::bfloat16, core::DType::float32, core::DType::float64}) {
    for (double odd : {nan, inf, -inf}) {
      Weights weights;
      weights.parameters["w"] = counted(0, odd, dtype);
      auto signs = weight_signs(weights);
      ASSERT_EQ(signs.size(), 1u) << odd;
      EXPECT_EQ(signs[0].rule, RuleId::broken_weights);
      EXPECT_EQ(signs[0].strength, Strength::likely);
      EXPECT_EQ(signs[0].role, "w");
      EXPECT_EQ(signs[0].why, std::isnan(odd) ? "1 of its 16 numbers are NaN, 0 infinite"
                                              : "0 of its 16 numbers are NaN, 1 infinite");
    }
    Weights sound;
    sound.parameters["w"] = counted(0, std::numeric_limits<float>::denorm_min(), dtype);
    EXPECT_TRUE(weight_signs(sound).empty());
  }
}

TEST(BrokenWeights, AMaskOfInfinitiesIsMeant) {
  Weights weights;
  weights.buffers["mask"] = counted(0, -inf, core::DType::float32);
  EXPECT_TRUE(weight_signs(weights).empty());
  weights.buffers["mask"] = counted(0, nan, core::DType::float32);
  EXPECT_EQ(weight_signs(weights).size(), 1u);
}

TEST(SharedWeights, AreOneInMemory) {
  Weights weights;
  weights.parameters["a"] = counted(0, 7, core::DType::float32);
  weights.parameters["b"] = weights.parameters["a"].alias();
  auto signs = weight_signs(weights);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].rule, RuleId::shared_weights);
  EXPECT_EQ(signs[0].strength, Strength::note);
  EXPECT_EQ(signs[0].why, "it is a");
}

TEST(EqualWeights, HoldTheSameNumbersApart) {
  Weights weights;
  weights.parameters["a"] = counted(0, 7, core::DType::float32);
  weights.parameters["b"] = counted(0, 7, core::DType::float32);
  weights.parameters["c"] = counted(1, 7, core::DType::float32);
  auto signs = weight_signs(weights);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].rule, RuleId::equal_weights);
  EXPECT_EQ(signs[0].role, "b");
  EXPECT_EQ(signs[0].why, "it holds the numbers of a");
}

TEST(EqualWeights, ZerosAreNoSign) {
  Weights weights;
  weights.parameters["a"] = zeros({4, 8});
  weights.parameters["b"] = zeros({4, 8});
  EXPECT_TRUE(weight_signs(weights).empty());
}

}  // namespace
}  // namespace assay::verify::lint
