#include "engine/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace assay::base {
namespace {

TEST(Text, NumbersReadBackToTheSameDouble) {
  EXPECT_TRUE(rc::check([](double value) {
    double back = 0;
    RC_ASSERT(parse_double(number(value), back));
    RC_ASSERT(back == value);
    RC_ASSERT(parse_double(python_float(value), back));
    RC_ASSERT(back == value);
  }));
}

TEST(Text, FloatsPrintAsPythonPrintsThem) {
  EXPECT_EQ(python_float(3.0), "3.0");
  EXPECT_EQ(python_float(0.1), "0.1");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e-5), "1e-05");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(-0.0), "-0.0");
}

TEST(Text, StringsPrintAsPythonPrintsThem) {
  EXPECT_EQ(python_repr("a"), "'a'");
  EXPECT_EQ(python_repr("it's"), "\"it's\"");
  EXPECT_EQ(python_repr("'\""), "'\\'\"'");
  EXPECT_EQ(python_repr("\n\x01"), "'\\n\\x01'");
}

TEST(Text, IntegersAreReadWholeOrNotAtAll) {
  int64_t value = 0;
  EXPECT_TRUE(parse_int("-9223372036854775808", value));
  EXPECT_FALSE(parse_int("9223372036854775808", value));
  EXPECT_FALSE(parse_int("1x", value));
  EXPECT_FALSE(parse_int("", value));
}

TEST(Text, SplitAndJoinAreInverse) {
  EXPECT_TRUE(rc::check([](const std::vector<int>& items) {
    RC_PRE(!items.empty());
    std::vector<std::string> parts;
    for (int i : items) parts.push_back(std::to_string(i));
    RC_ASSERT(split(join(parts, ","), ',') == parts);
  }));
}

}  // namespace
}  // namespace assay::base
