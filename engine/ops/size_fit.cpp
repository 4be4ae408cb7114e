#include "engine/ops/size_fit.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace assay::ops {
namespace {

using Numbers = std::vector<int64_t>;

/// Divisors beyond this are no strides of anything.
constexpr int64_t max_divisor = 64;
/// Numbers beyond this are no sizes, and products of three of them would overflow.
constexpr int64_t max_size = int64_t{1} << 20;

bool all_equal(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == numbers[0]; });
}

/// answers = scale * e + offset.
std::optional<SizeFit> fit_line(const Numbers& answers, const Numbers& e) {
  size_t other = 0;
  while (other < e.size() && e[other] == e[0]) ++other;
  if (other == e.size()) return std::nullopt;
  SizeFit fit;
  if ((answers[other] - answers[0]) % (e[other] - e[0]) != 0) return std::nullopt;
  fit.scale = (answers[other] - answers[0]) / (e[other] - e[0]);
  if (fit.scale == 0) return std::nullopt;
  fit.offset = answers[0] - fit.scale * e[0];
  for (size_t k = 0; k < e.size(); ++k) {
    if (fit.scale * e[k] + fit.offset != answers[k]) return std::nullopt;
  }
  return fit;
}

/// answers = (e + offset) / divisor, rounded down, with the offset nearest to 0.
std::optional<SizeFit> fit_quotient(const Numbers& answers, const Numbers& e) {
  for (int64_t divisor = 2; divisor <= max_divisor; ++divisor) {
    int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
    for (size_t k = 0; k < e.size(); ++k) {
      low = std::max(low, divisor * answers[k] - e[k]);
      high = std::min(high, divisor * answers[k] + divisor - 1 - e[k]);
    }
    if (low > high) continue;
    SizeFit fit;
    fit.divisor = divisor;
    fit.offset = std::clamp(int64_t{0}, low, high);
    return fit;
  }
  return std::nullopt;
}

Numbers combined(const std::vector<Numbers>& variables, const std::vector<size_t>& terms,
                 bool is_sum) {
  Numbers out = variables[terms[0]];
  for (size_t t = 1; t < terms.size(); ++t) {
    const Numbers& next = variables[terms[t]];
    for (size_t k = 0; k < out.size(); ++k) {
      out[k] = is_sum ? out[k] + next[k] : out[k] * next[k];
      if (std::abs(out[k]) > max_size * max_size) return {};
    }
  }
  return out;
}

/// One fit of the combined terms, as a line (sums: of slope 1) or a quotient (products: exact).
std::optional<SizeFit> fit_terms(const Numbers& answers, const std::vector<Numbers>& variables,
                                 std::vector<size_t> terms, bool is_sum) {
  Numbers e = combined(variables, terms, is_sum);
  if (e.empty()) return std::nullopt;
  std::optional<SizeFit> fit = fit_line(answers, e);
  if (is_sum && fit && fit->scale != 1) return std::nullopt;
  if (!is_sum && fit && fit->offset != 0) return std::nullopt;
  if (!fit && !is_sum) {
    fit = fit_quotient(answers, e);
    if (fit && fit->offset != 0) return std::nullopt;
  }
  if (!fit) return std::nullopt;
  fit->terms = std::move(terms);
  fit->is_sum = is_sum;
  return fit;
}

std::optional<SizeFit> fit_one(const Numbers& answers, const std::vector<Numbers>& variables) {
  for (auto form : {fit_line, fit_quotient}) {
    for (size_t i = 0; i < variables.size(); ++i) {
      std::optional<SizeFit> fit = form(answers, variables[i]);
      if (!fit) continue;
      fit->terms = {i};
      return fit;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<SizeFit> fit_size(const Numbers& answers, const std::vector<Numbers>& variables,
                                const std::vector<std::vector<size_t>>& groups) {
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i] != answers) continue;
    SizeFit fit;
    fit.terms = {i};
    return fit;
  }
  if (all_equal(answers)) {
    SizeFit fit;
    fit.offset = answers[0];
    return fit;
  }
  bool small = std::all_of(answers.begin(), answers.end(),
                           [](int64_t n) { return std::abs(n) <= max_size * max_size; });
  for (const Numbers& e : variables) {
    small &= std::all_of(e.begin(), e.end(), [](int64_t n) { return std::abs(n) <= max_size; });
  }
  if (!small) return std::nullopt;
  if (auto fit = fit_one(answers, variables)) return fit;
  for (bool is_sum : {false, true}) {
    for (size_t i = 0; i < variables.size(); ++i) {
      for (size_t j = i; j < variables.size(); ++j) {
        if (auto fit = fit_terms(answers, variables, {i, j}, is_sum)) return fit;
      }
    }
  }
  for (const std::vector<size_t>& group : groups) {
    if (group.size() < 3) continue;
    if (auto fit = fit_terms(answers, variables, group, false)) return fit;
  }
  std::vector<size_t> all(variables.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (all.size() > 2) return fit_terms(answers, variables, all, true);
  return std::nullopt;
}

}  // namespace assay::ops
