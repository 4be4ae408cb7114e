#include "engine/base/shared_text.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(SharedText, IsTheSameTextInEveryCopy) {
  SharedText text("__module.layer1/__module.layer1.conv");
  SharedText copy = text;
  EXPECT_EQ(copy.str(), "__module.layer1/__module.layer1.conv");
  EXPECT_EQ(&copy.str(), &text.str());
  text = SharedText("other");
  EXPECT_EQ(copy.str(), "__module.layer1/__module.layer1.conv");
  EXPECT_EQ(text.str(), "other");
}

TEST(SharedText, IsEmptyWhereThereIsNone) {
  EXPECT_TRUE(SharedText().empty());
  EXPECT_TRUE(SharedText("").empty());
  EXPECT_FALSE(SharedText("a").empty());
  EXPECT_EQ(SharedText().str(), "");
}

}  // namespace
}  // namespace assay::base
