#include "engine/base/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace assay::base {
namespace {

struct Link : RefCounted {
  explicit Link(int* alive) : count(alive) { ++*count; }
  ~Link() override { --*count; }
  int* count;
  Ref<Link> next;
  std::vector<Ref<Link>> more;
};

TEST(Ref, CountsItsOwners) {
  int alive = 0;
  {
    auto a = make_ref<Link>(&alive);
    EXPECT_EQ(a->use_count(), 1u);
    Ref<Link> b = a;
    EXPECT_EQ(a->use_count(), 2u);
    Ref<Link> c = std::move(b);
    EXPECT_EQ(a->use_count(), 2u);
    EXPECT_FALSE(b);  // NOLINT: what a move leaves is asked on purpose.
    EXPECT_EQ(a, c);
    c = nullptr;
    EXPECT_EQ(a->use_count(), 1u);
    Ref<RefCounted> base = a;
    EXPECT_EQ(a->use_count(), 2u);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Ref, SurvivesAssignmentOfItselfAndOfItsOwnPart) {
  int alive = 0;
  auto a = make_ref<Link>(&alive);
  a->next = make_ref<Link>(&alive);
  Ref<Link>& same = a;
  a = same;
  EXPECT_EQ(alive, 2);
  a = a->next;
  EXPECT_EQ(alive, 1);
}

TEST(Ref, LongChainsAreDestroyedWithoutRecursion) {
  int alive = 0;
  constexpr int length = 3000000;
  {
    Ref<Link> head;
    for (int i = 0; i < length; ++i) {
      auto link = make_ref<Link>(&alive);
      link->next = std::move(head);
      head = std::move(link);
    }
    EXPECT_EQ(alive, length);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Ref, TreesAndSharedPartsAreDestroyedOnce) {
  int alive = 0;
  {
    auto shared = make_ref<Link>(&alive);
    Ref<Link> root = make_ref<Link>(&alive);
    for (int level = 0; level < 1000; ++level) {
      auto above = make_ref<Link>(&alive);
      above->more = {root, shared, root, make_ref<Link>(&alive)};
      root = std::move(above);
    }
  }
  EXPECT_EQ(alive, 0);
}

TEST(Ref, ChainsEndOnEveryThread) {
  std::vector<int> alive(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : alive) {
    threads.emplace_back([&mine] {
      Ref<Link> head;
      for (int i = 0; i < 100000; ++i) {
        auto link = make_ref<Link>(&mine);
        link->next = std::move(head);
        head = std::move(link);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(alive, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace assay::base
