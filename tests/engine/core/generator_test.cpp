#include "engine/core/generator.h"

#include <gtest/gtest.h>

#include <random>

namespace assay::core {
namespace {

TEST(Generator, IsMt19937) {
  // The C++ standard fixes the same generator: the 10000th draw of the default seed is known.
  Generator g(5489);
  uint32_t last = 0;
  for (int i = 0; i < 10000; ++i) last = g.random();
  EXPECT_EQ(last, 4123659995u);
}

TEST(Generator, AgreesWithTheStandardLibraryForOtherSeeds) {
  for (uint32_t seed : {0u, 1u, 42u, 4294967295u}) {
    Generator g(seed);
    std::mt19937 standard(seed);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(g.random(), standard());
  }
}

TEST(Generator, SixtyFourBitsAreHighThenLow) {
  // torch.manual_seed(0); torch.empty(5, dtype=torch.int64).random_(0, 2**32): 64 bits modulo 2^32.
  Generator g(0);
  for (uint64_t low : {2546248239u, 3626093760u, 3684848379u, 3638918503u, 2678185683u}) {
    EXPECT_EQ(g.random64() & 0xffffffffu, low);
  }
}

}  // namespace
}  // namespace assay::core
