#include "fuzz/generate/points.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fuzz/generate/probes.h"
#include "tests/support/spec_gen.h"

namespace assay::fuzz {
namespace {

using verify::Point;
using verify::Spec;

RC_GTEST_PROP(Points, StayInTheDomain, (const Spec& spec, uint64_t seed)) {
  RC_PRE(base_point(spec, {}, seed).has_value());
  Hints hints;
  hints.literals = {4, 7, 64};
  rc::Gen<Point> generator = points(spec, hints);
  rc::Random random(seed);
  for (int size = 0; size <= 100; size += 10) {
    RC_ASSERT(in_domain(spec, generator(random.split(), size).value()));
  }
}

RC_GTEST_PROP(Points, AreAFunctionOfTheSeed, (const Spec& spec, uint64_t seed)) {
  rc::Gen<Point> generator = points(spec, {});
  RC_ASSERT(generator(rc::Random(seed), 50).value() == generator(rc::Random(seed), 50).value());
}

RC_GTEST_PROP(Points, ShrinkWithinTheDomainToSimplerOnes, (const Spec& spec, uint64_t seed)) {
  RC_PRE(base_point(spec, {}, seed).has_value());
  auto shrinks = points(spec, {})(rc::Random(seed), 50).shrinks();
  for (auto next = shrinks.next(); next; next = shrinks.next()) {
    RC_ASSERT(in_domain(spec, next->value()));
  }
}

RC_GTEST_PROP(Probes, StayInTheDomainAndDoNotRepeat, (const Spec& spec, uint64_t seed)) {
  std::vector<Point> probes = systematic_probes(spec, {}, seed, 100);
  std::set<Point> seen;
  for (const Point& probe : probes) {
    RC_ASSERT(in_domain(spec, probe));
    RC_ASSERT(seen.insert(probe).second);
  }
  RC_ASSERT(probes.size() <= 100u);
}

std::set<int64_t> sizes_of(const std::vector<Point>& probes, const std::string& letter) {
  std::set<int64_t> out;
  for (const Point& probe : probes) out.insert(probe.sizes.at(letter));
  return out;
}

TEST(Probes, CatchWhatRandomSizesMiss) {
  Spec spec = verify::parse_spec({{"input", "x: f32[b, h, w]"},
                                  {"dim", "b=0..8"},
                                  {"dim", "h=8..64:8"},
                                  {"dim", "w=8..64:8"},
                                  {"modes", "eval,train"}});
  Hints hints;
  hints.example = Point{{{"b", 3}, {"h", 16}, {"w", 32}}, {}, 0};
  hints.literals = {3, 48};
  std::vector<Point> probes = systematic_probes(spec, hints, 1, 200);
  for (int64_t b : {0, 1, 2, 4, 6, 8}) EXPECT_EQ(sizes_of(probes, "b").count(b), 1u) << b;
  EXPECT_EQ(sizes_of(probes, "h").count(48), 1u);
  auto has = [&](int64_t b, int64_t h, int64_t w) {
    return std::any_of(probes.begin(), probes.end(), [&](const Point& p) {
      return p.sizes == verify::Bindings{{"b", b}, {"h", h}, {"w", w}};
    });
  };
  EXPECT_TRUE(has(3, 32, 16));  // swapped
  EXPECT_TRUE(has(3, 16, 16));  // equal where the example's differ
  EXPECT_TRUE(has(3, 8, 64));   // another split of the same product
  EXPECT_TRUE(std::any_of(probes.begin(), probes.end(),
                          [](const Point& p) { return p.choices.at("mode") == "train"; }));
}

TEST(Probes, EachChoiceMeetsEachOfEveryOtherAxisInFewPoints) {
  Spec spec = verify::parse_spec({{"input", "x: f32[n]"},
                                  {"input", "y: f32[n]"},
                                  {"dim", "n=1..64"},
                                  {"modes", "eval,train"},
                                  {"dtypes", "x:f32,f64,bf16"},
                                  {"values", "x:normal,zeros,ones"},
                                  {"values", "y:normal,huge"}});
  std::vector<Point> probes = systematic_probes(spec, {}, 1, 66);
  auto meet = [&](const std::string& a, const std::string& v, const std::string& b,
                  const std::string& w) {
    return std::any_of(probes.begin(), probes.end(), [&](const Point& p) {
      return p.choices.at(a) == v && p.choices.at(b) == w;
    });
  };
  for (const char* dtype : {"f32", "f64", "bf16"}) {
    for (const char* value : {"normal", "zeros", "ones"}) {
      EXPECT_TRUE(meet("dtype x", dtype, "value x", value)) << dtype << " " << value;
      EXPECT_TRUE(meet("mode", "train", "value x", value)) << value;
    }
    EXPECT_TRUE(meet("dtype x", dtype, "value y", "huge")) << dtype;
    EXPECT_TRUE(meet("dtype x", dtype, "mode", "train")) << dtype;
  }
  auto several = [](const Point& p) {
    return (p.choices.at("mode") != "eval") + (p.choices.at("dtype x") != "f32") +
               (p.choices.at("value x") != "normal") + (p.choices.at("value y") != "normal") >
           1;
  };
  EXPECT_LE(std::count_if(probes.begin(), probes.end(), several), 8);
}

TEST(Probes, ASmallLimitSeesSomethingOfEachFeature) {
  Spec spec = verify::parse_spec({{"input", "x: f32[a, b, c]"},
                                  {"dim", "a=1..50"},
                                  {"dim", "b=1..50"},
                                  {"dim", "c=1..50"},
                                  {"values", "normal"}});
  std::vector<Point> probes = systematic_probes(spec, {}, 1, 10);
  for (const char* letter : {"a", "b", "c"}) EXPECT_GE(sizes_of(probes, letter).size(), 3u);
}

TEST(Probes, ASpecWithoutPointsHasNone) {
  Spec spec = verify::parse_spec({{"input", "x: f32[w]"}, {"dim", "h=4..8"}, {"dim", "w=h..3"}});
  EXPECT_TRUE(systematic_probes(spec, {}, 1, 10).empty());
}

}  // namespace
}  // namespace assay::fuzz
