#include "fuzz/generate/hints.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using verify::Point;
using verify::SizeDomain;
using verify::Spec;

SizeDomain domain(std::vector<SizeDomain::Range> ranges) { return *SizeDomain::make(ranges); }

bool has(const std::vector<int64_t>& sizes, int64_t size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

TEST(TellingSizes, AreEndsSmallOnesAndWhatLiesAroundTheExample) {
  auto sizes = interesting_sizes(domain({{0, 64, 1}}), 12, {}, {{"w", 33}});
  EXPECT_EQ(sizes[0], 0);
  for (int64_t size : {0, 1, 2, 64, 11, 13, 24, 6, 33}) EXPECT_TRUE(has(sizes, size)) << size;
}

TEST(TellingSizes, AreLiteralsTheirNeighboursAndDoubles) {
  Hints hints;
  hints.literals = {1, 40};
  auto sizes = interesting_sizes(domain({{1, 100, 1}}), std::nullopt, hints, {});
  for (int64_t size : {39, 40, 41, 80}) EXPECT_TRUE(has(sizes, size)) << size;
}

TEST(TellingSizes, LieInTheDomainAndDoNotRepeat) {
  SizeDomain steps = domain({{32, 256, 32}});
  Hints hints;
  hints.literals = {7, 64, INT64_MAX};
  auto sizes = interesting_sizes(steps, 96, hints, {{"h", 5}});
  std::vector<int64_t> sorted = sizes;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  for (int64_t size : sizes) EXPECT_TRUE(steps.contains(size)) << size;
  for (int64_t size : {32, 256, 64, 128}) EXPECT_TRUE(has(sizes, size)) << size;
}

TEST(BasePoint, IsTheExampleWhereThereIsOne) {
  Spec spec = verify::parse_spec({{"input", "x: f32[b, t]"}, {"dim", "b=1..9"}, {"dim", "t=1..9"}});
  Hints hints;
  hints.example = Point{{{"b", 4}, {"t", 4}}, {}, 0};
  auto point = base_point(spec, hints, 9);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->sizes, (verify::Bindings{{"b", 4}, {"t", 4}}));
  EXPECT_EQ(point->seed, 9u);
}

TEST(BasePoint, ElseHasUnequalPrimes) {
  Spec spec = verify::parse_spec(
      {{"input", "x: f32[a, b, c]"}, {"dim", "a=1..50"}, {"dim", "b=1..50"}, {"dim", "c=4,6,8"}});
  auto point = base_point(spec, {}, 0);
  ASSERT_TRUE(point);
  EXPECT_EQ(point->sizes.at("a"), 2);
  EXPECT_EQ(point->sizes.at("b"), 3);
  EXPECT_TRUE(point->sizes.at("c") == 4 || point->sizes.at("c") == 6);
}

TEST(SizeFeatures, FollowTheOrderOfChoice) {
  Spec spec =
      verify::parse_spec({{"input", "x: f32[h, w]"}, {"dim", "w=h..2*h"}, {"dim", "h=2..5"}});
  auto features = size_features(spec, Point{{{"h", 3}, {"w", 4}}, {}, 0});
  ASSERT_EQ(features.size(), 2u);
  EXPECT_EQ(features[0].first, "h");
  EXPECT_EQ(features[1].first, "w");
  EXPECT_EQ(features[1].second.min(), 3);
  EXPECT_EQ(features[1].second.max(), 6);
}

}  // namespace
}  // namespace assay::fuzz
