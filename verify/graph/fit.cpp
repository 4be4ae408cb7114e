#include "verify/graph/fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>

#include "engine/base/text.h"

namespace assay::verify {
namespace {

int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

int64_t value_of(const SizeFit::Factor& f, int64_t size) {
  int64_t value = floor_div(size + f.add, f.divisor);
  if (!f.to_power_of_two) return value;
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(value, 1))));
}

int64_t product(const std::vector<SizeFit::Factor>& factors, const Bindings& sizes) {
  int64_t p = 1;
  for (const auto& f : factors) p *= value_of(f, sizes.at(f.letter));
  return p;
}

/// Solves value = scale · x + offset over all samples, x being the factors' product.
std::optional<SizeFit> solve(const std::vector<SizeFit::Factor>& factors,
                             const std::vector<Sample>& samples) {
  SizeFit found;
  found.factors = factors;
  int64_t x0 = product(factors, samples[0].sizes), y0 = samples[0].value;
  auto other = std::find_if(samples.begin(), samples.end(),
                            [&](const Sample& s) { return product(factors, s.sizes) != x0; });
  if (other == samples.end()) return std::nullopt;
  int64_t dx = product(factors, other->sizes) - x0, dy = other->value - y0;
  if (dy == 0 || dy % dx != 0) return std::nullopt;
  found.scale = dy / dx;
  found.offset = y0 - found.scale * x0;
  for (const Sample& s : samples) {
    if (found.at(s.sizes) != s.value) return std::nullopt;
  }
  return found;
}

std::vector<std::string> letters_of(const std::vector<Sample>& samples) {
  std::vector<std::string> letters;
  for (const auto& entry : samples[0].sizes) {
    bool everywhere = std::all_of(samples.begin(), samples.end(),
                                  [&](const Sample& s) { return s.sizes.count(entry.first) > 0; });
    if (everywhere) letters.push_back(entry.first);
  }
  return letters;
}

size_t distinct(const std::vector<Sample>& samples, const std::vector<SizeFit::Factor>& factors) {
  std::set<std::vector<int64_t>> points;
  for (const Sample& s : samples) {
    std::vector<int64_t> point;
    for (const auto& f : factors) point.push_back(s.sizes.at(f.letter));
    points.insert(point);
  }
  return points.size();
}

/// Whether every division comes out even: sizes that are declared in steps are divided by the step.
bool is_even(const SizeFit& f, const std::vector<Sample>& samples) {
  for (const Sample& s : samples) {
    for (const auto& factor : f.factors) {
      if ((s.sizes.at(factor.letter) + factor.add) % factor.divisor != 0) return false;
    }
  }
  return true;
}

int64_t cost(const SizeFit& f, const std::vector<Sample>& samples) {
  int64_t c = std::abs(f.scale) - 1 + 2 * std::min<int64_t>(std::abs(f.offset), 1000);
  constexpr int64_t power = 10;
  for (const auto& factor : f.factors) {
    c += factor.divisor + factor.add + (factor.to_power_of_two ? power : 0);
  }
  constexpr int64_t uneven = 1000;
  return is_even(f, samples) ? c : c + uneven;
}

constexpr int64_t divisors[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 28, 32, 64};

/// Rounding sorts sizes into steps: two steps say no more than a threshold would.
bool steps_tell(const std::vector<SizeFit::Factor>& factors, const std::vector<Sample>& samples) {
  bool rounds = std::any_of(factors.begin(), factors.end(), [](const SizeFit::Factor& f) {
    return f.divisor > 1 || f.to_power_of_two;
  });
  std::set<int64_t> values;
  for (const Sample& s : samples) values.insert(s.value);
  return !rounds || values.size() > 2;
}

void consider(std::optional<SizeFit>& best, const std::vector<SizeFit::Factor>& factors,
              const std::vector<Sample>& samples) {
  size_t sizes = distinct(samples, factors);
  if (sizes < 3 || !steps_tell(factors, samples)) return;
  auto found = solve(factors, samples);
  if (found && sizes <= static_cast<size_t>(freedom(*found))) return;
  if (found && (!best || cost(*found, samples) < cost(*best, samples))) best = found;
}

/// A size rounded in each way that people round.
std::vector<SizeFit::Factor> roundings(const std::string& letter) {
  std::vector<SizeFit::Factor> all{{letter, 0, 1, true}};
  for (int64_t divisor : divisors) {
    for (int64_t add = 0; add < divisor; ++add) all.push_back({letter, add, divisor});
  }
  return all;
}

std::optional<SizeFit> fit_one_letter(const std::vector<std::string>& letters,
                                      const std::vector<Sample>& samples,
                                      const std::string& preferred) {
  std::optional<SizeFit> best;
  bool known = std::find(letters.begin(), letters.end(), preferred) != letters.end();
  if (known) consider(best, {{preferred, 0, 1}}, samples);
  if (best) return best;
  for (const auto& letter : letters) consider(best, {{letter, 0, 1}}, samples);
  if (best) return best;
  for (const auto& letter : letters) {
    for (const SizeFit::Factor& factor : roundings(letter)) consider(best, {factor}, samples);
  }
  return best;
}

std::optional<SizeFit> fit_two_letters(const std::vector<std::string>& letters,
                                       const std::vector<Sample>& samples) {
  std::optional<SizeFit> best;
  for (size_t i = 0; i < letters.size(); ++i) {
    for (size_t j = i; j < letters.size(); ++j) {
      for (int64_t first : divisors) {
        for (int64_t second : divisors) {
          // Round up or down alike on both sides: what convolutions and windows do.
          consider(best, {{letters[i], 0, first}, {letters[j], 0, second}}, samples);
          consider(best, {{letters[i], first - 1, first}, {letters[j], second - 1, second}},
                   samples);
        }
      }
    }
  }
  return best;
}

std::string factor_text(const SizeFit::Factor& f) {
  std::string text = f.add ? fmt::format("({} + {})", f.letter, f.add) : f.letter;
  if (f.to_power_of_two) return fmt::format("2^ceil(log2({}))", text);
  return f.divisor == 1 ? text : fmt::format("{}//{}", text, f.divisor);
}

}  // namespace

int64_t SizeFit::at(const Bindings& sizes) const {
  return scale * product(factors, sizes) + offset;
}

std::string SizeFit::text() const {
  std::vector<std::string> parts;
  if (scale != 1) parts.push_back(std::to_string(scale));
  for (const auto& f : factors) {
    bool bare = f.divisor == 1 || (factors.size() == 1 && scale == 1);
    parts.push_back(bare ? factor_text(f) : "(" + factor_text(f) + ")");
  }
  std::string text = base::join(parts, "*");
  if (offset > 0) text += fmt::format(" + {}", offset);
  if (offset < 0) text += fmt::format(" - {}", -offset);
  return text;
}

std::optional<SizeFit> fit(const std::vector<Sample>& samples, const std::string& preferred) {
  if (samples.size() < 3) return std::nullopt;
  bool constant = std::all_of(samples.begin(), samples.end(),
                              [&](const Sample& s) { return s.value == samples[0].value; });
  if (constant) return std::nullopt;
  auto letters = letters_of(samples);
  if (auto one = fit_one_letter(letters, samples, preferred)) return one;
  return fit_two_letters(letters, samples);
}

int freedom(const SizeFit& fit) {
  int out = (fit.scale != 1) + (fit.offset != 0) + static_cast<int>(fit.factors.size()) - 1;
  for (const SizeFit::Factor& f : fit.factors) {
    out += (f.divisor != 1) + (f.add != 0) + f.to_power_of_two;
  }
  return out;
}

bool is_settled(const SizeFit& fit, const std::vector<Sample>& samples) {
  if (fit.factors.size() != 1) return true;
  const std::string& letter = fit.factors[0].letter;
  auto [least, most] =
      std::ranges::minmax(samples, {}, [&](const Sample& s) { return s.sizes.at(letter); });
  constexpr int64_t looked_at = 1000;
  int64_t end = std::min(most.sizes.at(letter), least.sizes.at(letter) + looked_at);
  for (const SizeFit::Factor& factor : roundings(letter)) {
    auto other = solve({factor}, samples);
    for (int64_t n = least.sizes.at(letter); other && n <= end; ++n) {
      if (other->at({{letter, n}}) != fit.at({{letter, n}})) return false;
    }
  }
  return true;
}

std::vector<SizeFit> other_fits(const std::vector<Sample>& samples, const SizeFit& best) {
  std::vector<SizeFit> out;
  if (samples.empty()) return out;
  for (const auto& letter : letters_of(samples)) {
    std::optional<SizeFit> found;
    consider(found, {{letter, 0, 1}}, samples);
    if (found && found->factors != best.factors) out.push_back(*found);
  }
  return out;
}

}  // namespace assay::verify
