#include "engine/core/memory_budget.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/storage.h"

namespace assay::core {
namespace {

const Device cpu{};

TEST(MemoryBudget, BoundsWhatIsHeldAtOnce) {
  for (size_t nbytes : {600, 6}) {
    MemoryScope scope(base::make_ref<MemoryBudget>(nbytes + nbytes / 2));
    auto first = Storage::allocate(nbytes, cpu);
    EXPECT_THROW(Storage::allocate(nbytes, cpu), base::Error);
    first = nullptr;
    EXPECT_NO_THROW(Storage::allocate(nbytes, cpu));
  }
}

TEST(MemoryBudget, BoundsEachDeviceByItself) {
  register_fake_devices(false);
  Device fake{DeviceType::fake, 0}, other{DeviceType::fake, 1};
  auto budget = base::make_ref<MemoryBudget>(1000);
  MemoryScope scope(budget);
  auto on_cpu = Storage::allocate(900, cpu);
  auto on_fake = Storage::allocate(800, fake);
  auto on_other = Storage::allocate(700, other);
  EXPECT_EQ(budget->held(cpu), 900u);
  EXPECT_EQ(budget->held(fake), 800u);
  EXPECT_EQ(budget->held(other), 700u);
  EXPECT_THROW(Storage::allocate(201, fake), base::Error);
}

TEST(MemoryBudget, CountsARunAloneAndInTheRunAroundIt) {
  auto outer = base::make_ref<MemoryBudget>(1000);
  MemoryScope around(outer);
  auto before = Storage::allocate(500, cpu);
  StorageRef kept;
  {
    auto inner = base::make_ref<MemoryBudget>(600);
    MemoryScope scope(inner);
    kept = Storage::allocate(400, cpu);
    EXPECT_EQ(inner->held(cpu), 400u);
    EXPECT_THROW(Storage::allocate(101, cpu), base::Error);  // The outer bound.
    EXPECT_EQ(inner->held(cpu), 400u);
    before = nullptr;
    EXPECT_THROW(Storage::allocate(201, cpu), base::Error);  // Its own.
  }
  EXPECT_EQ(outer->held(cpu), 400u);  // What outlives the run is still there.
  kept = nullptr;
  EXPECT_EQ(outer->held(cpu), 0u);
}

TEST(MemoryBudget, IsTheThreadsOwn) {
  auto budget = base::make_ref<MemoryBudget>(100);
  MemoryScope scope(budget);
  StorageRef made;
  std::thread other([&] { made = Storage::allocate(1000, cpu); });
  other.join();
  EXPECT_EQ(budget->held(cpu), 0u);
}

}  // namespace
}  // namespace assay::core
