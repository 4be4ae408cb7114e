#include "verify/graph/fit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

namespace assay::verify {
namespace {

std::vector<Sample> samples_of(const std::function<int64_t(int64_t, int64_t)>& f) {
  std::vector<Sample> out;
  const std::pair<int64_t, int64_t> points[] = {{32, 64}, {96, 32}, {64, 64}, {160, 96}};
  for (auto [h, w] : points) out.push_back({{{"h", h}, {"w", w}}, f(h, w)});
  return out;
}

TEST(Fit, FindsTheSimplestExpression) {
  EXPECT_EQ(fit(samples_of([](int64_t h, int64_t) { return h; }))->text(), "h");
  EXPECT_EQ(fit(samples_of([](int64_t, int64_t w) { return 2 * w + 1; }))->text(), "2*w + 1");
  EXPECT_EQ(fit(samples_of([](int64_t h, int64_t w) { return (h / 32) * (w / 32); }))->text(),
            "(h//32)*(w//32)");
}

TEST(Fit, LettersThatMovedTogetherAreTheFailuresOwnFirstAndToldApartFromNoOther) {
  std::vector<Sample> samples;
  for (int64_t t : {5, 7, 11, 13}) samples.push_back({{{"a", t}, {"m", 2 * t}, {"z", t}}, t});
  EXPECT_EQ(fit(samples)->text(), "a");
  EXPECT_EQ(fit(samples, "z")->text(), "z");
  EXPECT_EQ(fit(samples, "unknown")->text(), "a");
  auto others = other_fits(samples, *fit(samples, "z"));
  ASSERT_EQ(others.size(), 1u);  // m would need half of it.
  EXPECT_EQ(others[0].text(), "a");
  // The letter that the failure depends on does not win where it explains nothing.
  samples.push_back({{{"a", 17}, {"m", 34}, {"z", 3}}, 17});
  EXPECT_EQ(fit(samples, "z")->text(), "a");
  EXPECT_TRUE(other_fits(samples, *fit(samples, "z")).empty());
}

TEST(Fit, SaysNothingWithoutEnoughEvidence) {
  std::vector<Sample> two{{{{"t", 5}}, 5}, {{{"t", 7}}, 7}};
  EXPECT_FALSE(fit(two));
  EXPECT_FALSE(fit(samples_of([](int64_t, int64_t) { return 9; })));
  // A value that no function of the sizes gives.
  std::vector<Sample> odd{{{{"t", 5}}, 5}, {{{"t", 7}}, 100}, {{{"t", 11}}, 3}, {{{"t", 11}}, 4}};
  EXPECT_FALSE(fit(odd));
}

TEST(Fit, IsSettledWhereNoOtherRoundingGivesOtherNumbersBetweenTheSamples) {
  auto windows = [](std::vector<int64_t> heights) {
    std::vector<Sample> samples;
    for (int64_t h : heights) samples.push_back({{{"h", h}}, 3 * ((h - 4) / 3 + 1)});
    return samples;
  };
  // 3*((h + 2)//4) gives these as well, but another number for 6.
  std::vector<Sample> few = windows({5, 7, 8, 10, 11, 12});
  ASSERT_TRUE(fit(few));
  EXPECT_FALSE(is_settled(*fit(few), few));
  std::vector<Sample> all = windows({4, 5, 6, 7, 8, 9, 10, 11, 12});
  ASSERT_TRUE(fit(all));
  EXPECT_TRUE(is_settled(*fit(all), all));
  EXPECT_EQ(fit(all)->text(), "3*((h + 2)//3) - 3");
}

TEST(Fit, RoundsUpToPowersOfTwo) {
  std::vector<Sample> samples;
  const std::pair<int64_t, int64_t> padded[] = {{8, 8}, {11, 16}, {13, 16}, {17, 32}, {20, 32}};
  for (auto [n, value] : padded) samples.push_back({{{"n", n}}, value});
  auto found = fit(samples);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text(), "2^ceil(log2(n))");
  EXPECT_EQ(found->at({{"n", 1}}), 1);
  EXPECT_EQ(found->at({{"n", 33}}), 64);
}

TEST(Fit, NeedsMoreSizesThanItSettlesNumbers) {
  // ceil(n / 10) * ceil(n / 14) gives them, too: five numbers for four sizes.
  std::vector<Sample> samples;
  const std::pair<int64_t, int64_t> steps[] = {{9, 1}, {12, 2}, {15, 4}, {21, 6}};
  for (auto [n, value] : steps) samples.push_back({{{"n", n}}, value});
  EXPECT_FALSE(fit(samples));
}

TEST(Fit, RecoversAnyAffineFunctionOnPrimes) {
  EXPECT_TRUE(rc::check([] {
    auto scale = *rc::gen::inRange<int64_t>(1, 20);
    auto offset = *rc::gen::inRange<int64_t>(-5, 6);
    std::vector<Sample> samples;
    for (int64_t t : {5, 7, 11, 13}) samples.push_back({{{"t", t}}, scale * t + offset});
    auto found = fit(samples);
    RC_ASSERT(found.has_value());
    for (int64_t t : {1, 17, 64}) RC_ASSERT(found->at({{"t", t}}) == scale * t + offset);
  }));
}

}  // namespace
}  // namespace assay::verify
