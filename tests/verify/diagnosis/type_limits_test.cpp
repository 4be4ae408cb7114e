#include "verify/diagnosis/type_limits.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::verify::diagnosis {
namespace {

// As PyTorch prints them: torch.finfo(...).max, .eps, .tiny, torch.iinfo(...).max.
constexpr double max_half = 65504.0, max_bfloat = 3.3895313892515355e+38,
                 max_float = 3.4028234663852886e+38, max_double = 1.7976931348623157e+308,
                 eps_half = 0.0009765625, eps_bfloat = 0.0078125,
                 eps_float = 1.1920928955078125e-07, eps_double = 2.220446049250313e-16,
                 tiny_half = 6.103515625e-05, tiny_float = 1.1754943508222875e-38;

TEST(Limits, OfTwoElementTypesAreRecognized) {
  EXPECT_TRUE(are_limits(max_half, max_float));
  EXPECT_TRUE(are_limits(-max_bfloat, -max_double));
  EXPECT_TRUE(are_limits(eps_float, eps_bfloat));
  EXPECT_TRUE(are_limits(eps_double, eps_half));
  EXPECT_TRUE(are_limits(tiny_half, tiny_float));
  EXPECT_TRUE(are_limits(255, 32767));
  EXPECT_TRUE(are_limits(0x1p31 - 1, 0x1p63));  // int64 has one less, which no double holds.
}

TEST(Limits, OtherNumbersAreNone) {
  EXPECT_FALSE(are_limits(max_half, max_half));
  EXPECT_FALSE(are_limits(max_half, eps_float));
  EXPECT_FALSE(are_limits(max_half, -max_float));
  EXPECT_FALSE(are_limits(255, 1));
  EXPECT_FALSE(are_limits(1e-6, 1e-3));
}

TEST(Limits, TheSameFormulaOfThemFollows) {
  EXPECT_TRUE(follow_limits(10 * eps_float, 10 * eps_double));
  EXPECT_TRUE(follow_limits(max_float / 2, max_half / 2));
  EXPECT_TRUE(follow_limits(std::sqrt(eps_float), std::sqrt(eps_double)));
  EXPECT_TRUE(follow_limits(4, 8));    // Bytes.
  EXPECT_TRUE(follow_limits(16, 32));  // Bits.
  EXPECT_FALSE(follow_limits(10 * eps_float, 20 * eps_double));
  EXPECT_FALSE(follow_limits(1e-6, 1e-12));
  EXPECT_FALSE(follow_limits(1e-3, 1e-9));
  EXPECT_FALSE(follow_limits(0.5, 1));
  EXPECT_FALSE(follow_limits(0, 1));
}

}  // namespace
}  // namespace assay::verify::diagnosis
