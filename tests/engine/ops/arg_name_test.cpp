#include "engine/ops/arg_name.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ops/argument_names.h"

namespace assay::ops {
namespace {

TEST(ArgName, ConstantsStandForTheTextsOfTheSchemas) {
  EXPECT_EQ(arg::weight.text(), "weight");
  EXPECT_EQ(arg::enum_.text(), "enum");
  EXPECT_EQ(find_argument_name("weight"), arg::weight);
  EXPECT_EQ(find_argument_name("wait"), std::nullopt);
  EXPECT_EQ(find_argument_name(""), std::nullopt);
}

// What is compiled with an id stays right when the catalog gets further names.
static_assert(arg::weight.id == 0x50a09eb9);

TEST(ArgName, EveryTextIsFound) {
  ASSERT_TRUE(std::is_sorted(std::begin(argument_name_texts), std::end(argument_name_texts)));
  for (std::string_view text : argument_name_texts) {
    auto found = find_argument_name(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->text(), text);
  }
}

}  // namespace
}  // namespace assay::ops
