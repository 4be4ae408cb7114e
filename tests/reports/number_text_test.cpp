#include "reports/number_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::reports {
namespace {

TEST(NumberText, IsForPeople) {
  const std::string gap = "\xE2\x80\xAF";
  EXPECT_EQ(number_text(7), "7");
  EXPECT_EQ(number_text(999), "999");
  EXPECT_EQ(number_text(1234567), "1" + gap + "234" + gap + "567");
  EXPECT_EQ(number_text(-1000), "-1" + gap + "000");
  EXPECT_EQ(number_text(0.000123456), "0.0001235");
  EXPECT_EQ(number_text("inf"), "inf");
}

}  // namespace
}  // namespace assay::reports
