#include "engine/core/protected_arena.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "engine/base/error.h"

namespace assay::core {
namespace {

TEST(ProtectedArenaDeathTest, DiesAtAnAccessWhileItIsClosed) {
  ProtectedArena arena;
  std::byte* data = arena.allocate(100);
  EXPECT_DEATH(*const_cast<volatile std::byte*>(data) = std::byte{1}, "");
  EXPECT_DEATH(std::exit(static_cast<int>(*const_cast<volatile std::byte*>(data))), "");
  {
    ArenaAccess outer(arena);
    { ArenaAccess inner(arena); }
    data[99] = std::byte{7};
    arena.allocate(100)[0] = std::byte{8};  // Fresh bytes are as open as the others.
    arena.allocate(100 << 20)[0] = std::byte{8};
  }
  EXPECT_DEATH(std::exit(static_cast<int>(*const_cast<volatile std::byte*>(data))), "");
  ArenaAccess again(arena);
  EXPECT_EQ(data[99], std::byte{7});
}

TEST(ProtectedArena, WhatCannotBeHadIsAnInputError) {
  ProtectedArena arena;
  EXPECT_THROW(arena.allocate(SIZE_MAX), base::Error);
  EXPECT_THROW(arena.allocate(size_t{1} << 60), base::Error);
}

// Rights are changed page by page: one large block would slow down every kernel after it.
TEST(ProtectedArena, GivesBackWhatALargeBlockTookEvenIfNothingElseIsThere) {
  ProtectedArena arena;
  std::byte* large = arena.allocate(100 << 20);
  unsigned char resident = 0;
  EXPECT_EQ(::mincore(large, 1, &resident), 0);
  arena.free(large);
  EXPECT_EQ(::mincore(large, 1, &resident), -1);
  EXPECT_EQ(errno, ENOMEM);  // It is not mapped.
}

// Blocks of any sizes, freed in any order, never overlap.
RC_GTEST_PROP(ProtectedArena, BlocksKeepTheirBytes, ()) {
  ProtectedArena arena;
  ArenaAccess access(arena);
  struct Block {
    std::byte* data;
    size_t size;
    int filled;
  };
  std::vector<Block> blocks;
  auto check = [](const Block& b) {
    auto kept = [&](std::byte byte) { return byte == static_cast<std::byte>(b.filled); };
    RC_ASSERT(std::all_of(b.data, b.data + b.size, kept));
  };
  auto steps = *rc::gen::container<std::vector<uint32_t>>(rc::gen::arbitrary<uint32_t>());
  for (uint32_t step : steps) {
    if (step % 3 == 0 && !blocks.empty()) {
      size_t at = step / 3 % blocks.size();
      check(blocks[at]);
      arena.free(blocks[at].data);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    size_t size = 1 + step % (step % 17 == 0 ? 3000000 : 300);
    Block fresh{arena.allocate(size), size, static_cast<int>(step % 251)};
    RC_ASSERT(reinterpret_cast<uintptr_t>(fresh.data) % 64 == 0);
    std::memset(fresh.data, fresh.filled, size);
    blocks.push_back(fresh);
  }
  for (const Block& b : blocks) check(b);
}

}  // namespace
}  // namespace assay::core
