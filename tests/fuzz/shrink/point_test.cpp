#include "fuzz/shrink/point.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fuzz/generate/points.h"
#include "tests/support/spec_gen.h"

namespace assay::fuzz {
namespace {

using verify::Point;
using verify::Spec;

RC_GTEST_PROP(Shrink, EveryStepIsSimplerAndInTheDomain, (const Spec& spec, uint64_t seed)) {
  Point point = points(spec, {})(rc::Random(seed), 80).value();
  RC_PRE(in_domain(spec, point));
  for (const Point& smaller : smaller_points(spec, point)) {
    RC_ASSERT(in_domain(spec, smaller));
    RC_ASSERT(simpler(spec, smaller, point));
  }
}

rc::Shrinkable<Point> shrinkable(const Spec& spec, const Point& point) {
  return shrinkable_point(std::make_shared<const Spec>(spec), point);
}

std::vector<Point> first_of(rc::Seq<rc::Shrinkable<Point>> shrinks) {
  std::vector<Point> out;
  while (auto next = shrinks.next()) out.push_back(next->value());
  return out;
}

RC_GTEST_PROP(Shrink, AShrinkableIsTheSameWhereverItsPointIsFrom,
              (const Spec& spec, uint64_t seed)) {
  rc::Shrinkable<Point> drawn = points(spec, {})(rc::Random(seed), 80);
  RC_PRE(in_domain(spec, drawn.value()));
  rc::Shrinkable<Point> named = shrinkable(spec, drawn.value());
  // A few levels down, along the candidate that comes first.
  for (int level = 0; level < 3; ++level) {
    std::vector<Point> simpler_ones = smaller_points(spec, drawn.value());
    RC_ASSERT(first_of(drawn.shrinks()) == simpler_ones);
    RC_ASSERT(first_of(named.shrinks()) == simpler_ones);
    if (simpler_ones.empty()) return;
    drawn = *drawn.shrinks().next();
    named = *named.shrinks().next();
  }
}

/// Fails alike from some size on; below it, in another way.
Attempt two_kinds(const Point& point, int64_t from) {
  int64_t sum = point.sizes.at("b") + point.sizes.at("h");
  return {true, sum >= from ? "first" : "second"};
}

RC_GTEST_PROP(Shrink, KeepsItsKey, (const Spec& spec, uint64_t seed)) {
  Point start = points(spec, {})(rc::Random(seed), 80).value();
  RC_PRE(in_domain(spec, start));
  int64_t from = *rc::gen::inRange<int64_t>(5, 13);
  RC_PRE(two_kinds(start, from).key == "first");
  Shrunk shrunk =
      shrink(shrinkable(spec, start), "first", [&](const Point& p) { return two_kinds(p, from); });
  RC_ASSERT(shrunk.complete);
  RC_ASSERT(two_kinds(shrunk.point, from).key == "first");
  for (const Point& smaller : smaller_points(spec, shrunk.point)) {
    RC_ASSERT(two_kinds(smaller, from).key == "second");
  }
}

TEST(Shrink, FindsTheSmallestSizeAndNotesOtherFailures) {
  Spec spec = verify::parse_spec({{"input", "x: f32[b, t]"},
                                  {"dim", "b=1..100"},
                                  {"dim", "t=1..100"},
                                  {"modes", "eval,train"},
                                  {"values", "normal"}});
  Point start = *nearest_point(spec, Point{{{"b", 90}, {"t", 77}}, {{"mode", "train"}}, 5});
  auto attempt = [](const Point& p) -> Attempt {
    int64_t t = p.sizes.at("t");
    return {t > 12 || t < 3, t < 3 ? "small" : "large"};
  };
  Shrunk shrunk = shrink(shrinkable(spec, start), "large", attempt);
  EXPECT_TRUE(shrunk.complete);
  EXPECT_EQ(shrunk.point.sizes, (verify::Bindings{{"b", 1}, {"t", 13}}));
  EXPECT_EQ(shrunk.point.choices.at("mode"), "eval");
  EXPECT_EQ(shrunk.point.seed, 0u);
  ASSERT_EQ(shrunk.other_failures.size(), 1u);
  EXPECT_EQ(shrunk.other_failures[0].second, "small");
}

TEST(Shrink, EndsAtItsCap) {
  Spec spec = verify::parse_spec({{"input", "x: f32[b]"}, {"dim", "b=1..1000000"}});
  Point start = *nearest_point(spec, Point{{{"b", 1000000}}, {}, 5});
  ShrinkLimits limits;
  limits.max_steps = 10;
  auto attempt = [](const Point& p) -> Attempt { return {p.sizes.at("b") > 17, "k"}; };
  Shrunk shrunk = shrink(shrinkable(spec, start), "k", attempt, limits);
  EXPECT_EQ(shrunk.tried, 10);
  EXPECT_FALSE(shrunk.complete);
}

}  // namespace
}  // namespace assay::fuzz
