#include "engine/kernels/common/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::kernels::common {
namespace {

TEST(Distributions, BlocksOfFloatsAreBoxAndMullersPairs) {
  core::Generator generator(3);
  std::vector<float> uniform(16 * 4096);
  for (float& u : uniform) u = unit<float>(generator);
  uniform[0] = uniform[8] = 0;             // The logarithm and the angle of nothing,
  uniform[1] = uniform[9] = 1 - 0x1p-24F;  // and the largest that are drawn.
  std::vector<float> made = uniform;
  normal_blocks(made.data(), 4096, 0.5F, 2.0F);
  for (size_t b = 0; b < made.size(); b += 16) {
    for (size_t j = b; j < b + 8; ++j) {
      double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(uniform[j])));
      double angle = 2 * M_PI * static_cast<double>(uniform[j + 8]);
      ASSERT_NEAR(made[j], radius * std::cos(angle) * 2 + 0.5, 8e-6) << uniform[j];
      ASSERT_NEAR(made[j + 8], radius * std::sin(angle) * 2 + 0.5, 8e-6) << uniform[j];
    }
  }
}

TEST(Distributions, ARestIsTheEndOfABlockOfFreshNumbers) {
  std::vector<float> numbers(40), first(32);
  core::Generator generator(5), same(5);
  fill_normal_blocks(generator, numbers.data(), 40, 0.0F, 1.0F);
  // 40 draws for all, and 16 for the last block.
  for (int k = 0; k < 40; ++k) {
    float u = unit<float>(same);
    if (k < 32) first[static_cast<size_t>(k)] = u;
  }
  std::vector<float> last(16);
  for (float& u : last) u = unit<float>(same);
  normal_blocks(first.data(), 2, 0.0F, 1.0F);
  normal_blocks(last.data(), 1, 0.0F, 1.0F);
  for (size_t k = 0; k < 24; ++k) EXPECT_EQ(numbers[k], first[k]);
  for (size_t k = 0; k < 16; ++k) EXPECT_EQ(numbers[24 + k], last[k]);
}

}  // namespace
}  // namespace assay::kernels::common
