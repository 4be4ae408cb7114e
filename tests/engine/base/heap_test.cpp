#include "engine/base/heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace assay::base {
namespace {

TEST(Heap, counts_what_is_held) {
  int64_t before = heap_held();
  {
    std::vector<char> block(1 << 20);
    EXPECT_GE(heap_held() - before, 1 << 20);
    EXPECT_LT(heap_held() - before, 2 << 20);
  }
  EXPECT_EQ(heap_held(), before);
}

TEST(Heap, refuses_large_blocks_beyond_the_limit) {
  HeapLimit limit(1 << 22);
  EXPECT_THROW(std::vector<char>(size_t{1} << 40), std::bad_alloc);
  std::vector<std::string> texts;
  auto fill = [&] {
    for (int i = 0; i < 100; ++i) texts.emplace_back(size_t{1} << 20, 'x');
  };
  EXPECT_THROW(fill(), std::bad_alloc);
  EXPECT_EQ(texts.size(), 3u);
}

TEST(Heap, small_blocks_are_counted_and_never_refused) {
  HeapLimit limit(1 << 20);
  EXPECT_FALSE(HeapLimit::exceeded());
  std::vector<std::string> texts(2000);
  for (std::string& text : texts) text.assign(1000, 'x');
  EXPECT_TRUE(HeapLimit::exceeded());
}

// Small blocks are kept for later ones of their size, which must have all their bytes and count the
// same as fresh ones.
TEST(Heap, reused_blocks_are_whole_and_counted) {
  int64_t before = heap_held();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<char[]>> blocks;
    for (size_t size = 1; size <= 1200; ++size) {
      blocks.push_back(std::make_unique<char[]>(size));
      std::memset(blocks.back().get(), static_cast<int>(size % 251), size);
    }
    for (size_t size = 1; size <= 1200; ++size) {
      const char* block = blocks[size - 1].get();
      EXPECT_EQ(block[0], static_cast<char>(size % 251));
      EXPECT_EQ(block[size - 1], static_cast<char>(size % 251));
    }
  }
  EXPECT_EQ(heap_held(), before);
}

// What one thread takes and another gives back is counted by each.
TEST(Heap, blocks_may_be_given_back_by_another_thread) {
  auto block = std::make_unique<std::string>(100, 'x');
  int64_t change = 0;
  std::thread([&] {
    int64_t before = heap_held();
    block.reset();
    change = heap_held() - before;
  }).join();
  EXPECT_LT(change, -100);
}

TEST(Heap, limits_nest) {
  HeapLimit outer(1 << 20);
  {
    HeapLimit inner(size_t{1} << 30);
    EXPECT_THROW(std::vector<char>(1 << 21), std::bad_alloc);
  }
  EXPECT_NO_THROW(std::vector<char>(1 << 18));
}

}  // namespace
}  // namespace assay::base
