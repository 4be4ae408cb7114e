#include "verify/spec/size_expr.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/base/error.h"

namespace assay::verify {
namespace {

SizeExpr op(char sign, SizeExpr a, SizeExpr b) {
  return SizeExpr::binary(sign, std::move(a), std::move(b));
}
const SizeExpr h = SizeExpr::letter("h"), w = SizeExpr::letter("w");

TEST(SizeExpr, DividesAsPython) {
  // Python: 7 // 2 == 3, -7 // 2 == -4, 7 // -2 == -4, -7 // -2 == 3.
  EXPECT_EQ(op('/', 7, 2).evaluate({}), 3);
  EXPECT_EQ(op('/', -7, 2).evaluate({}), -4);
  EXPECT_EQ(op('/', 7, -2).evaluate({}), -4);
  EXPECT_EQ(op('/', -7, -2).evaluate({}), 3);
  EXPECT_EQ(op('/', -8, 2).evaluate({}), -4);
  EXPECT_EQ(op('/', 5, -1).evaluate({}), -5);
}

TEST(SizeExpr, RefusesWhatHasNoValue) {
  EXPECT_THROW(op('/', h, 0).evaluate({{"h", 3}}), base::Error);
  EXPECT_THROW(h.evaluate({{"w", 3}}), base::Error);
  EXPECT_THROW(op('*', INT64_MAX, 2).evaluate({}), base::Error);
  EXPECT_THROW(op('+', INT64_MAX, 1).evaluate({}), base::Error);
  EXPECT_THROW(op('/', INT64_MIN, -1).evaluate({}), base::Error);
}

TEST(SizeExpr, PrintsOnlyTheParenthesesThatAreNeeded) {
  EXPECT_EQ(op('+', op('*', 2, h), 1).text(), "2*h+1");
  EXPECT_EQ(op('*', op('+', h, 1), w).text(), "(h+1)*w");
  EXPECT_EQ(op('-', h, op('-', w, 1)).text(), "h-(w-1)");
  EXPECT_EQ(op('-', op('-', h, w), 1).text(), "h-w-1");
  EXPECT_EQ(op('/', op('*', h, w), 4).text(), "h*w//4");
  EXPECT_EQ(op('*', h, op('/', w, 4)).text(), "h*(w//4)");
}

TEST(SizeExpr, TellsNumbersAndLettersApart) {
  EXPECT_TRUE(SizeExpr(3).is_number());
  EXPECT_FALSE(SizeExpr(3).is_letter());
  EXPECT_TRUE(h.is_letter());
  EXPECT_FALSE(op('+', h, 1).is_letter());
  std::set<std::string> letters;
  op('+', op('*', h, w), h).collect_letters(letters);
  EXPECT_EQ(letters, (std::set<std::string>{"h", "w"}));
}

TEST(SizeExpr, IsSolvedForALetter) {
  EXPECT_EQ(op('+', op('*', 2, h), 1).solve("h", {}, 7), 3);
  EXPECT_EQ(op('*', h, w).solve("w", {{"h", 4}}, 20), 5);
  EXPECT_EQ(op('/', 12, h).solve("h", {}, 4), 3);  // Nothing is divided by 0 on the way.
  EXPECT_EQ(op('*', 2, h).solve("h", {}, 7), std::nullopt);
}

RC_GTEST_PROP(SizeExpr, QuotientAndRemainderMakeTheNumber, (int32_t a, int32_t b)) {
  RC_PRE(b != 0);
  int64_t q = op('/', a, b).evaluate({});
  int64_t r = int64_t{a} - q * b;
  bool has_the_divisors_sign = b > 0 ? (r >= 0 && r < b) : (r <= 0 && r > b);
  RC_ASSERT(has_the_divisors_sign);
}

}  // namespace
}  // namespace assay::verify
