#include "engine/core/shape.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/base/error.h"

namespace assay::core {
namespace {

TEST(Shape, BroadcastIsCommutativeAndCoversBoth) {
  EXPECT_TRUE(rc::check([] {
    auto sizes = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(1, 4));
    Dims a(sizes), b(sizes);
    for (auto& size : b) {
      if (*rc::gen::arbitrary<bool>()) size = 1;
    }
    RC_ASSERT(broadcast(a, b) == broadcast(b, a));
    RC_ASSERT(broadcast(a, b) == a);
  }));
}

TEST(Shape, BroadcastRefusesUnequalSizes) {
  EXPECT_THROW(broadcast(Dims{2, 3}, Dims{4}), base::Error);
  EXPECT_EQ(broadcast(Dims{0, 3}, Dims{1}), (Dims{0, 3}));
}

TEST(Shape, StridesAreGivenForWiderShapesOnly) {
  EXPECT_EQ(broadcast_strides(Dims{3, 1}, Dims{1, 1}, Dims{2, 3, 4}), (Dims{0, 1, 0}));
  EXPECT_THROW(broadcast_strides(Dims{3}, Dims{1}, Dims{2}), base::Error);
  EXPECT_THROW(broadcast_strides(Dims{2, 2}, Dims{2, 1}, Dims{2}), base::Error);
}

TEST(Shape, NumelRefusesToOverflow) {
  EXPECT_THROW(numel(Dims{int64_t{1} << 40, int64_t{1} << 40}), base::Error);
  EXPECT_EQ(numel(Dims{}), 1);
}

TEST(Shape, ContiguityFollowsStrides) {
  EXPECT_TRUE(is_contiguous(Dims{2, 3, 4}, Dims{12, 4, 1}));
  EXPECT_FALSE(is_contiguous(Dims{2, 3, 4}, Dims{12, 1, 3}));
  EXPECT_TRUE(is_contiguous(Dims{1, 3}, Dims{99, 1}));  // A size of 1 may have any stride.
  EXPECT_TRUE(is_contiguous(Dims{0, 3}, Dims{7, 5}));
  Dims sizes{2, 3, 4, 5};
  Dims last = format_strides(sizes, MemoryFormat::channels_last);
  EXPECT_EQ(last, (Dims{60, 1, 15, 3}));
  EXPECT_TRUE(is_contiguous(sizes, last, MemoryFormat::channels_last));
  EXPECT_TRUE(is_channels_last(sizes, last));
  EXPECT_FALSE(is_channels_last(sizes, contiguous_strides(sizes)));
}

TEST(Shape, WrapDimCountsFromTheEnd) {
  EXPECT_EQ(wrap_dim(-1, 3), 2);
  EXPECT_EQ(wrap_dim(0, 0), 0);
  EXPECT_THROW(wrap_dim(3, 3), base::Error);
  EXPECT_THROW(wrap_dim(0, 0, false), base::Error);
}

TEST(Shape, ExtentBoundsEveryElement) {
  Extent e = extent(Dims{2, 3}, Dims{10, 1});
  EXPECT_EQ(e.low, 0);
  EXPECT_EQ(e.high, 13);
  e = extent(Dims{0, 3}, Dims{10, 1});
  EXPECT_EQ(e.high, 0);
  EXPECT_THROW(extent(Dims{int64_t{1} << 40}, Dims{int64_t{1} << 40}), base::Error);
}

TEST(Shape, DenseInAnyOrder) {
  EXPECT_TRUE(is_non_overlapping_and_dense(Dims{3, 4}, Dims{1, 3}));
  EXPECT_FALSE(is_non_overlapping_and_dense(Dims{3, 4}, Dims{0, 1}));
  EXPECT_FALSE(is_non_overlapping_and_dense(Dims{3, 4}, Dims{8, 1}));
}

}  // namespace
}  // namespace assay::core
