#include "engine/core/host_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace assay::core {
namespace {

struct Held {
  std::byte* block;
  size_t nbytes;
  uint8_t mark;
};

/// Writes at both ends: tensors would write all of it, and the test would take long.
void mark(const Held& held) {
  size_t edge = std::min<size_t>(held.nbytes, 256);
  std::memset(held.block, held.mark, edge);
  std::memset(held.block + held.nbytes - edge, held.mark, edge);
}

bool is_marked(const Held& held) {
  size_t edge = std::min<size_t>(held.nbytes, 256);
  auto all = [&](const std::byte* at) {
    return std::all_of(at, at + edge, [&](std::byte b) { return b == std::byte{held.mark}; });
  };
  return all(held.block) && all(held.block + held.nbytes - edge);
}

RC_GTEST_PROP(HostHeap, BlocksAreAlignedAndLieApart, ()) {
  HostHeap heap;
  std::vector<Held> held;
  auto give = [&](size_t index) {
    RC_ASSERT(is_marked(held[index]));
    HostHeap::give(held[index].block, held[index].nbytes);
    held.erase(held.begin() + static_cast<ptrdiff_t>(index));
  };
  int steps = *rc::gen::inRange(1, 80);
  for (int step = 0; step < steps; ++step) {
    if (!held.empty() && *rc::gen::arbitrary<bool>()) {
      give(*rc::gen::inRange<size_t>(0, held.size()));
      continue;
    }
    size_t most = *rc::gen::element<size_t>(1000, size_t{1} << 20, HostHeap::largest);
    size_t nbytes = *rc::gen::inRange<size_t>(1, most + 1);
    Held next{heap.take(nbytes), nbytes, static_cast<uint8_t>(step)};
    RC_ASSERT(next.block != nullptr);
    RC_ASSERT(reinterpret_cast<uintptr_t>(next.block) % 64 == 0u);
    for (const Held& other : held) {
      RC_ASSERT(next.block + nbytes <= other.block || other.block + other.nbytes <= next.block);
    }
    mark(next);
    held.push_back(next);
  }
  while (!held.empty()) give(held.size() - 1);
  // All is in one piece again: what is there has room for the largest blocks.
  size_t before = heap.held();
  RC_ASSERT(before <= 2 * HostHeap::region_size);
  std::byte* large = heap.take(HostHeap::largest);
  RC_ASSERT(heap.held() == std::max(before, HostHeap::region_size));
  HostHeap::give(large, HostHeap::largest);
}

TEST(HostHeap, ABlockOfAnotherSizeLiesWhereTheLastOneDid) {
  HostHeap heap;
  std::byte* beside = heap.take(1000);
  std::byte* first = heap.take(3 << 20);
  HostHeap::give(first, 3 << 20);
  std::byte* second = heap.take(1 << 20);
  EXPECT_EQ(second, first);
  HostHeap::give(second, 1 << 20);
  HostHeap::give(beside, 1000);
}

TEST(HostHeap, GivesMemoryThatNobodyNeedsToTheSystem) {
  HostHeap heap;
  std::vector<std::byte*> blocks;
  for (int k = 0; k < 10; ++k) blocks.push_back(heap.take(HostHeap::largest));
  // Two fit into no region: each begins with a few bytes of its own.
  EXPECT_EQ(heap.held(), 10 * HostHeap::region_size);
  for (std::byte* block : blocks) HostHeap::give(block, HostHeap::largest);
  EXPECT_EQ(heap.held(), 2 * HostHeap::region_size);
}

TEST(HostHeap, TakesBlocksBackOnAnyThread) {
  HostHeap heap;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&heap, k] {
      for (int round = 0; round < 200; ++round) {
        Held mine{heap.take(200000 + static_cast<size_t>(round) * 64), 200000,
                  static_cast<uint8_t>(k)};
        mark(mine);
        EXPECT_TRUE(is_marked(mine));
        std::byte* block = mine.block;
        size_t nbytes = 200000 + static_cast<size_t>(round) * 64;
        if (round % 50 == 0) {
          std::thread([block, nbytes] { HostHeap::give(block, nbytes); }).join();
        } else {
          HostHeap::give(block, nbytes);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(heap.held(), HostHeap::region_size);
}

}  // namespace
}  // namespace assay::core
