#include "engine/base/small_vector.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>

namespace assay::base {
namespace {

using Small = SmallVector<int, 4>;

TEST(SmallVector, IsMadeFromManyThings) {
  std::vector<int> items{1, 2, 3};
  EXPECT_EQ(Small(items), (Small{1, 2, 3}));
  EXPECT_EQ(Small(items.begin(), items.end()), (Small{1, 2, 3}));
  EXPECT_EQ(Small(std::span<const int>(items)), (Small{1, 2, 3}));
  EXPECT_EQ(Small(3, 7), (Small{7, 7, 7}));
  EXPECT_TRUE(Small().empty());
}

TEST(SmallVector, MovesLeaveAnEmptyVector) {
  for (int size : {2, 4, 5, 100}) {
    Small from(static_cast<size_t>(size), 1);
    Small to = std::move(from);
    EXPECT_EQ(to.size(), static_cast<size_t>(size));
    EXPECT_TRUE(from.empty());  // NOLINT: what a move leaves is asked on purpose.
    from.push_back(3);
    EXPECT_EQ(from, Small{3});
    EXPECT_EQ(to.back(), 1);
    Small again(10, 2);
    again = std::move(to);
    EXPECT_EQ(again.size(), static_cast<size_t>(size));
  }
}

TEST(SmallVector, TakesAnElementOfItself) {
  Small items{1, 2, 3, 4};
  items.push_back(items[0]);  // Grows while the argument lies inside.
  EXPECT_EQ(items, (Small{1, 2, 3, 4, 1}));
  Small& same = items;
  items = same;
  EXPECT_EQ(items.size(), 5u);
}

/// Any sequence of edits gives what std::vector gives.
RC_GTEST_PROP(SmallVector, BehavesLikeAVector, ()) {
  Small small;
  std::vector<int> plain;
  auto edits = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 7), rc::gen::inRange(0, 40)));
  for (auto [edit, n] : edits) {
    auto at = plain.empty() ? size_t{0} : static_cast<size_t>(n) % plain.size();
    switch (edit) {
      case 0:
      case 1:
        small.push_back(n), plain.push_back(n);
        break;
      case 2:
        if (!plain.empty()) small.pop_back(), plain.pop_back();
        break;
      case 3:
        small.insert(at, n), plain.insert(plain.begin() + static_cast<long>(at), n);
        break;
      case 4:
        if (!plain.empty()) small.erase(at), plain.erase(plain.begin() + static_cast<long>(at));
        break;
      case 5:
        small.resize(static_cast<size_t>(n), 9), plain.resize(static_cast<size_t>(n), 9);
        break;
      default: {
        Small copy = small;
        small.clear();
        small = copy;
      }
    }
    RC_ASSERT(std::vector<int>(small.begin(), small.end()) == plain);
  }
}

TEST(SmallVector, LetsGoOfWhatItHoldsAtOnce) {
  auto held = std::make_shared<int>(1);
  using Holder = SmallVector<std::shared_ptr<int>, 2>;
  Holder items;
  for (int k = 0; k < 3; ++k) items.push_back(held);
  EXPECT_EQ(held.use_count(), 4);
  items.pop_back();
  items.resize(1);
  EXPECT_EQ(held.use_count(), 2);
  Holder other{held, held};
  other = std::move(items);
  EXPECT_EQ(held.use_count(), 2);
  items.push_back(held);  // NOLINT: what a move leaves is empty.
  EXPECT_EQ(held.use_count(), 3);
  other.clear();
  EXPECT_EQ(held.use_count(), 2);
}

}  // namespace
}  // namespace assay::base
