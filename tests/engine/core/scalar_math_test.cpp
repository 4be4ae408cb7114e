#include "engine/core/scalar_math.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "engine/base/error.h"

namespace assay::core::math {
namespace {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr int64_t highest = std::numeric_limits<int64_t>::max();

// Expected results are Python's, which for these are PyTorch's.
TEST(ScalarMath, DividesTowardsMinusInfinity) {
  EXPECT_EQ(floor_divide(int64_t{-7}, int64_t{2}), -4);
  EXPECT_EQ(floor_divide(int64_t{7}, int64_t{-2}), -4);
  EXPECT_EQ(floor_divide(int64_t{-7}, int64_t{-2}), 3);
  EXPECT_EQ(floor_divide(int64_t{6}, int64_t{-2}), -3);
  EXPECT_EQ(modulo(int64_t{-7}, int64_t{2}), 1);
  EXPECT_EQ(modulo(int64_t{7}, int64_t{-2}), -1);
  EXPECT_EQ(modulo(int64_t{-7}, int64_t{-2}), -1);
  EXPECT_EQ(floor_divide(-7.0, 2.0), -4.0);
  EXPECT_EQ(modulo(-7.0, 2.0), 1.0);
  EXPECT_EQ(modulo(7.0, -2.0), -1.0);
}

// Where Python's ints grow and PyTorch's wrap; PyTorch dies of the lowest int divided by -1.
TEST(ScalarMath, WrapsAround) {
  EXPECT_EQ(floor_divide(lowest, int64_t{-1}), lowest);
  EXPECT_EQ(modulo(lowest, int64_t{-1}), 0);
  EXPECT_EQ(add(highest, int64_t{1}), lowest);
  EXPECT_EQ(subtract(lowest, int64_t{1}), highest);
  EXPECT_EQ(multiply(highest, int64_t{2}), -2);
  EXPECT_EQ(negate(lowest), lowest);
  EXPECT_EQ(magnitude(lowest), uint64_t{1} << 63);
  EXPECT_EQ(int_power(-5, 3), -125);
  EXPECT_EQ(int_power(2, 64), 0);
}

// Expectations from PyTorch 1.13 on x86: `2 << 70`, `7 << -2`, `-5 >> 3`, `2 >> 64`.
TEST(ScalarMath, ShiftsCountModulo64) {
  EXPECT_EQ(shift_left(2, 70), 128);
  EXPECT_EQ(shift_left(7, -2), -4611686018427387904);
  EXPECT_EQ(shift_right(-5, 3), -1);
  EXPECT_EQ(shift_right(2, 64), 2);
}

// Expectations from PyTorch 1.13, but for `%`, of which it dies: its divmod has these words.
TEST(ScalarMath, ZeroDivisors) {
  auto words = [](auto f) -> std::string {
    try {
      f();
    } catch (const base::Error& e) {
      return e.message();
    }
    return "";
  };
  const int64_t one = 1, zero = 0;
  std::string by_zero = "ZeroDivisionError: integer division or modulo by zero";
  EXPECT_EQ(words([&] { floor_divide(one, zero); }), "division by 0");
  EXPECT_EQ(words([&] { modulo(one, zero); }), by_zero);
  EXPECT_EQ(words([&] { divmod(one, zero); }), by_zero);
  EXPECT_EQ(words([&] { divmod(1.0, 0.0); }), "ZeroDivisionError: float divmod()");
  EXPECT_EQ(divide(one, zero), std::numeric_limits<double>::infinity());
  EXPECT_EQ(floor_divide(1.0, 0.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(modulo(1.0, 0.0)));
}

// Expectations from PyTorch 1.13: int(7 / 0), int(float('nan')) on x86.
TEST(ScalarMath, TruncatesWhatDoesNotFitToTheLowestInt) {
  EXPECT_EQ(truncated(-3.7), -3);
  EXPECT_EQ(truncated(std::numeric_limits<double>::infinity()), lowest);
  EXPECT_EQ(truncated(std::numeric_limits<double>::quiet_NaN()), lowest);
}

TEST(ScalarMath, RangesHaveAsManyNumbersAsPythonSays) {
  EXPECT_EQ(range_length(0, 10, 3), 4);
  EXPECT_EQ(range_length(10, 0, -3), 4);
  EXPECT_EQ(range_length(5, 5, 1), 0);
  EXPECT_EQ(range_length(0, highest, highest), 1);
  EXPECT_THROW(range_length(0, 1, 0), base::Error);
}

RC_GTEST_PROP(ScalarMath, QuotientAndRestBelongTogether, (int64_t a, int64_t b)) {
  RC_PRE(b != 0);
  RC_ASSERT(add(multiply(floor_divide(a, b), b), modulo(a, b)) == a);
  auto [quotient, rest] = divmod(a, b);
  RC_ASSERT(quotient == floor_divide(a, b));
  RC_ASSERT(rest == modulo(a, b));
  RC_ASSERT(add(multiply(truncated_quotient(a, b), b), truncated_rest(a, b)) == a);
}

}  // namespace
}  // namespace assay::core::math
