#include "reports/escape.h"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(EscapeMarkup, ReplacesControlCharacters) {
  EXPECT_EQ(escape_markup(std::string_view("a\x01\x00z\n\t", 6)), "a\xEF\xBF\xBD\xEF\xBF\xBDz\n\t");
}

}  // namespace
}  // namespace assay::reports
