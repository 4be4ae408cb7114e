#include "engine/base/stack.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"

namespace assay::base {
namespace {

bool is_refused() {
  try {
    check_stack("a test");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::input);
    EXPECT_EQ(e.message(), "a test is nested too deeply");
    return true;
  }
  return false;
}

/// Recurses until it is refused; how deep it came.
int descend(int depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(depth);
  if (is_refused()) return depth;
  int reached = descend(depth + 1);
  return frame[0] == static_cast<char>(depth) ? reached : -1;
}

TEST(Stack, RefusesEndlessRecursion) { EXPECT_GT(descend(0), 100); }

TEST(Stack, KnowsTheStackOfEachThread) {
  int reached = 0;
  std::thread([&] { reached = descend(0); }).join();
  EXPECT_GT(reached, 100);
}

}  // namespace
}  // namespace assay::base
