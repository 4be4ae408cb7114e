#include "engine/core/device.h"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

TEST(Device, TextsReadBack) {
  for (std::string text : {"cpu", "cuda", "cuda:0", "cuda:127", "fake:1", "meta"}) {
    auto device = parse_device(text);
    ASSERT_TRUE(device.has_value()) << text;
    EXPECT_EQ(device->text(), text);
  }
}

TEST(Device, TheOneCpuMayHaveANumber) { EXPECT_EQ(parse_device("cpu:0")->text(), "cpu"); }

TEST(Device, OthersAreNone) {
  for (std::string text : {"", "tpu", "cuda:", "cuda:-1", "cuda:128", "cuda:1x", "cuda:0:0", "CPU",
                           " cpu", "cuda:99999999999999999999"}) {
    EXPECT_FALSE(parse_device(text).has_value()) << text;
  }
}

TEST(Device, EqualByKindAndIndex) {
  EXPECT_EQ(parse_device("cuda:1"), parse_device("cuda:1"));
  EXPECT_FALSE(parse_device("cuda:1") == parse_device("cuda:0"));
  EXPECT_FALSE(parse_device("cuda:1") == parse_device("fake:1"));
}

}  // namespace
}  // namespace assay::core
