#include "engine/core/storage.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"

namespace assay::core {
namespace {

const Device cpu{};
const Device meta{DeviceType::meta, -1};

TEST(Storage, AllocatesAlignedBytesAndCountsThem) {
  auto budget = base::make_ref<MemoryBudget>(0);
  MemoryScope scope(budget);
  for (size_t nbytes : {1, 4, 63, 64, 255, 256, 257, 320, 1000, 100000}) {
    auto storage = Storage::allocate(nbytes, cpu);
    auto other = Storage::allocate(nbytes, cpu);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(storage->data()) % 64, 0u) << nbytes;
    EXPECT_EQ(storage->nbytes(), nbytes);
    EXPECT_EQ(budget->held(cpu), 2 * nbytes);
    std::memset(storage->data(), 1, nbytes);
    std::memset(other->data(), 2, nbytes);
    EXPECT_EQ(storage->data()[nbytes - 1], std::byte{1});
    EXPECT_EQ(storage->data()[0], std::byte{1});
  }
  EXPECT_EQ(budget->held(cpu), 0u);
}

TEST(Storage, MetaAndEmptyOnesHaveNoBytes) {
  auto budget = base::make_ref<MemoryBudget>(1000);
  MemoryScope scope(budget);
  auto huge = Storage::allocate(SIZE_MAX, meta);
  EXPECT_EQ(huge->data(), nullptr);
  EXPECT_EQ(huge->nbytes(), SIZE_MAX);
  EXPECT_EQ(Storage::allocate(0, cpu)->data(), nullptr);
  EXPECT_EQ(budget->held(cpu), 0u);
}

TEST(Storage, WhatCannotBeHadIsAnInputError) {
  auto budget = base::make_ref<MemoryBudget>(0);
  MemoryScope scope(budget);
  for (size_t nbytes : {SIZE_MAX, SIZE_MAX / 2, size_t{1} << 62}) {
    try {
      Storage::allocate(nbytes, cpu);
      ADD_FAILURE() << nbytes;
    } catch (const base::Error& e) {
      EXPECT_EQ(e.kind(), base::ErrorKind::input);
      EXPECT_NE(e.message().find(fmt::format("{} bytes", nbytes)), std::string::npos);
    }
  }
  EXPECT_EQ(budget->held(cpu), 0u);
}

TEST(Storage, ResizingKeepsTheCommonBytes) {
  auto budget = base::make_ref<MemoryBudget>(150);
  MemoryScope scope(budget);
  auto storage = Storage::allocate(4, cpu);
  std::memcpy(storage->data(), "abcd", 4);
  uint64_t version = storage->version();
  storage->resize(100);
  EXPECT_EQ(budget->held(cpu), 100u);
  EXPECT_THROW(storage->resize(200), base::Error);
  EXPECT_EQ(storage->nbytes(), 100u);
  EXPECT_EQ(std::memcmp(storage->data(), "abcd", 4), 0);
  EXPECT_NE(storage->version(), version);
  storage->resize(2);
  EXPECT_EQ(storage->nbytes(), 2u);
  EXPECT_EQ(std::memcmp(storage->data(), "ab", 2), 0);
}

TEST(Storage, AdoptedBytesLiveAsLongAsTheirStorage) {
  auto owner = std::make_shared<std::string>("wxyz");
  std::weak_ptr<std::string> watched = owner;
  auto storage = Storage::adopt(owner->data(), 4, owner);
  owner.reset();
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(std::memcmp(storage->data(), "wxyz", 4), 0);
  storage = nullptr;
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace assay::core
