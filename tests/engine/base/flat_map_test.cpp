#include "engine/base/flat_map.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace assay::base {
namespace {

using Entries = std::vector<std::pair<std::string, int64_t>>;

template <typename Map>
Entries entries_of(const Map& map) {
  return Entries(map.begin(), map.end());
}

TEST(FlatMap, KeepsEntriesInTheOrderOfTheirKeys) {
  FlatMap<int64_t> map{{"b", 2}, {"a", 1}, {"b", 3}};
  EXPECT_EQ(entries_of(map), (Entries{{"a", 1}, {"b", 3}}));
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.find("c"), map.end());
  EXPECT_EQ(map.at("a"), 1);
  EXPECT_THROW(map.at("c"), std::out_of_range);
  map.clear();
  EXPECT_TRUE(map.empty());
}

TEST(FlatMap, EmplaceKeepsWhatIsThere) {
  FlatMap<std::string> map;
  EXPECT_TRUE(map.emplace("k", "first").second);
  auto [at, fresh] = map.emplace("k", "second");
  EXPECT_FALSE(fresh);
  EXPECT_EQ(at->second, "first");
}

RC_GTEST_PROP(FlatMap, DoesWhatStdMapDoes, ()) {
  auto letters = rc::gen::container<std::string>(rc::gen::inRange('a', 'd'));
  FlatMap<int64_t> flat, other;
  std::map<std::string, int64_t> map, other_map;
  for (int turn = *rc::gen::inRange(0, 30); turn > 0; --turn) {
    std::string key = *letters;
    auto number = *rc::gen::arbitrary<int64_t>();
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        flat[key] = map[key] = number;
        break;
      case 1:
        RC_ASSERT(flat.erase(key) == map.erase(key));
        break;
      case 2:
        RC_ASSERT(flat.emplace(key, number).second == map.emplace(key, number).second);
        break;
      default:
        other[key] = other_map[key] = number;
    }
    RC_ASSERT(flat.count(key) == map.count(key));
    RC_ASSERT(entries_of(flat) == entries_of(map));
    RC_ASSERT((flat < other) == (map < other_map));
    RC_ASSERT((flat == other) == (map == other_map));
  }
}

}  // namespace
}  // namespace assay::base
