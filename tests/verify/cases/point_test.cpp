#include "verify/cases/point.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/spec_gen.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

TEST(SizeDomain, FindsTheNearestMember) {
  SizeDomain domain = *SizeDomain::make({{8, 30, 8}, {50, 50, 1}});
  EXPECT_EQ(domain.count(), 4);
  EXPECT_EQ(domain.max(), 50);
  EXPECT_EQ(domain.nearest(0), 8);
  EXPECT_EQ(domain.nearest(12), 8);  // The smaller of two.
  EXPECT_EQ(domain.nearest(13), 16);
  EXPECT_EQ(domain.nearest(36), 24);
  EXPECT_EQ(domain.nearest(1000), 50);
  EXPECT_TRUE(domain.contains(24));
  EXPECT_FALSE(domain.contains(30));
  EXPECT_FALSE(SizeDomain::make({{3, 2, 1}}));
}

TEST(Point, DependentSizesMoveWithTheirLetters) {
  Spec spec = parse_spec({{"input", "x: f32[h, w]"}, {"dim", "w=h..2*h"}, {"dim", "h=4..8"}});
  std::optional<Point> point = nearest_point(spec, Point{{{"h", 8}, {"w", 4}}, {}, 0});
  EXPECT_EQ(point->sizes.at("w"), 8);
  EXPECT_TRUE(in_domain(spec, *point));
  point->sizes["w"] = 17;
  EXPECT_FALSE(in_domain(spec, *point));
}

TEST(Point, APlaceWithoutASizeIsNoPoint) {
  Spec spec = parse_spec({{"input", "x: f32[8//n]"}, {"dim", "n=0..2"}});
  EXPECT_FALSE(nearest_point(spec, Point{{{"n", 0}}, {}, 0}));
  EXPECT_TRUE(nearest_point(spec, Point{{{"n", 1}}, {}, 0}));
}

RC_GTEST_PROP(Point, SettledPointsAreInTheDomain, (const Spec& spec, int64_t size)) {
  std::optional<Point> point =
      nearest_point(spec, Point{{{"b", size}, {"h", size}, {"w", size}}, {{"mode", "train"}}, 1});
  RC_PRE(point.has_value());
  RC_ASSERT(in_domain(spec, *point));
}

}  // namespace
}  // namespace assay::verify
