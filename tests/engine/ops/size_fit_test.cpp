#include "engine/ops/size_fit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace assay::ops {
namespace {

int64_t value_of(const SizeFit& fit, const std::vector<int64_t>& e) {
  int64_t all = fit.is_sum ? 0 : 1;
  for (size_t term : fit.terms) all = fit.is_sum ? all + e[term] : all * e[term];
  if (fit.terms.empty()) all = 0;
  int64_t sum = fit.scale * all + fit.offset;
  return sum / fit.divisor - (sum % fit.divisor < 0);
}

/// Twelve observations of two sizes.
std::vector<std::vector<int64_t>> sizes() {
  std::vector<std::vector<int64_t>> e(2);
  for (int64_t k = 0; k < 12; ++k) {
    e[0].push_back(20 + k);
    e[1].push_back(31 + 5 * k % 13);
  }
  return e;
}

RC_GTEST_PROP(SizeFit, FindsAStridedWindow, ()) {
  int64_t stride = *rc::gen::inRange<int64_t>(1, 9), offset = *rc::gen::inRange<int64_t>(-9, 10);
  auto e = sizes();
  std::vector<int64_t> answers;
  for (int64_t size : e[1]) answers.push_back((size + offset) / stride);
  auto fit = fit_size(answers, e, {});
  RC_ASSERT(fit.has_value());
  for (size_t k = 0; k < answers.size(); ++k) {
    RC_ASSERT(value_of(*fit, {e[0][k], e[1][k]}) == answers[k]);
  }
}

RC_GTEST_PROP(SizeFit, FindsSumsAndProducts, (bool sum)) {
  int64_t scale = *rc::gen::inRange<int64_t>(1, 9);
  auto e = sizes();
  std::vector<int64_t> answers;
  for (size_t k = 0; k < e[0].size(); ++k) {
    answers.push_back(sum ? e[0][k] + e[1][k] + scale : e[0][k] * e[1][k] * scale);
  }
  auto fit = fit_size(answers, e, {});
  RC_ASSERT(fit.has_value());
  // Also where it was not observed.
  RC_ASSERT(value_of(*fit, {100, 7}) == (sum ? 107 + scale : 700 * scale));
}

TEST(SizeFit, TellsConstantsFromSizes) {
  auto e = sizes();
  auto constant = fit_size(std::vector<int64_t>(12, 5), e, {});
  ASSERT_TRUE(constant);
  EXPECT_TRUE(constant->terms.empty());
  EXPECT_EQ(constant->offset, 5);
  EXPECT_EQ(fit_size(e[1], e, {})->terms, (std::vector<size_t>{1}));
}

TEST(SizeFit, SaysNothingWhereNoFormFits) {
  auto e = sizes();
  std::vector<int64_t> answers{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
  EXPECT_FALSE(fit_size(answers, e, {}));
  EXPECT_FALSE(fit_size(std::vector<int64_t>(12, 5), {}, {})->terms.size());
}

}  // namespace
}  // namespace assay::ops
