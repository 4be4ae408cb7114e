#include "engine/core/host_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace assay::core {
namespace {

RC_GTEST_PROP(HostBlocks, AreAlignedAndBelongToOneHolder, ()) {
  struct Held {
    std::byte* block;
    size_t nbytes;
    uint8_t mark;
  };
  std::vector<Held> held;
  auto give = [&](size_t index) {
    auto [block, nbytes, mark] = held[index];
    for (size_t at : {size_t{0}, nbytes / 2, nbytes - 1}) RC_ASSERT(block[at] == std::byte{mark});
    give_host_block(block, nbytes);
    held.erase(held.begin() + static_cast<ptrdiff_t>(index));
  };
  int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    if (!held.empty() && *rc::gen::arbitrary<bool>()) {
      give(*rc::gen::inRange<size_t>(0, held.size()));
      continue;
    }
    // Around the sizes that blocks have: 2^n, 2^n + 2^(n-2), ...
    size_t power = size_t{1} << *rc::gen::inRange(2, 21);
    size_t nbytes =
        power + power / 4 * *rc::gen::inRange<size_t>(0, 4) + *rc::gen::inRange<size_t>(0, 3);
    std::byte* block = take_host_block(nbytes);
    RC_ASSERT(reinterpret_cast<uintptr_t>(block) % 64 == 0u);
    auto mark = static_cast<uint8_t>(step);
    std::memset(block, mark, nbytes);
    held.push_back({block, nbytes, mark});
  }
  while (!held.empty()) give(held.size() - 1);
}

TEST(HostBlocks, WhatCannotBeHadIsNull) {
  for (size_t nbytes : {SIZE_MAX, SIZE_MAX / 2, size_t{1} << 62}) {
    EXPECT_EQ(take_host_block(nbytes), nullptr);
  }
}

TEST(HostBlocks, MayBeGivenBackOnAnotherThread) {
  for (size_t nbytes : {1000, 100000, 10000000, 100000000}) {
    std::byte* block = take_host_block(nbytes);
    std::thread([&] { give_host_block(block, nbytes); }).join();
    std::thread([&] { block = take_host_block(nbytes); }).join();
    std::memset(block, 1, nbytes);
    give_host_block(block, nbytes);
  }
}

#ifndef ASSAY_SANITIZED
TEST(HostBlocks, StayWithTheThreadForItsNextOnes) {
  for (size_t nbytes : {100000, 1000000}) {
    std::byte* block = take_host_block(nbytes);
    give_host_block(block, nbytes);
    std::byte* next = take_host_block(nbytes - 1000);
    EXPECT_EQ(next, block);
    give_host_block(next, nbytes - 1000);
  }
}
#endif

}  // namespace
}  // namespace assay::core
