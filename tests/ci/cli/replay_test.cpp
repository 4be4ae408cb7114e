#include <gtest/gtest.h>

#include <random>

#include "tests/ci/cli/program.h"

namespace assay::cli {
namespace {

using testing::expect_refusal;

TEST(Replay, GarbageIsRefused) {
  expect_refusal("assay replay", {"assay replay 'ASSAY1:...'"});
  expect_refusal("assay replay garbage", {"not a repro string", "start with ASSAY1:"});
  expect_refusal("assay replay ASSAY2:eJx", {"ASSAY1:"});
  expect_refusal("assay replay ASSAY1:", {"damaged"});
  expect_refusal("assay replay 'ASSAY1:!!!'", {"damaged"});
  expect_refusal("assay replay /nowhere/", {"not a repro string"});
  expect_refusal("assay replay ''", {"not a repro string"});
}

TEST(Replay, RandomStringsAreRefused) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    // "eNo": how zlib's output starts.
    std::string text = i % 2 ? "ASSAY1:eNo" : "ASSAY1:";
    for (size_t size = random() % 300; size > 0; --size) text += letters[random() % 64];
    expect_refusal("assay replay '" + text + "'", {"damaged"});
  }
}

}  // namespace
}  // namespace assay::cli
