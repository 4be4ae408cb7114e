#include "engine/base/restore.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace assay::base {
namespace {

TEST(Restore, PutsTheValueBackOnEveryWayOut) {
  int depth = 1;
  {
    Restore deeper(depth, depth + 1);
    EXPECT_EQ(depth, 2);
    depth = 7;
  }
  EXPECT_EQ(depth, 1);
  try {
    Restore deeper(depth, 5);
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(depth, 1);
  }
}

}  // namespace
}  // namespace assay::base
