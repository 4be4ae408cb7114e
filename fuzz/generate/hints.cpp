#include "fuzz/generate/hints.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay::fuzz {

using verify::Bindings;
using verify::Chooser;
using verify::Point;
using verify::SizeDomain;
using verify::Spec;

namespace {

/// Follows a point and notes every size it is asked for.
class Noting final : public Chooser {
 public:
  explicit Noting(const Point& point) : point_(point) {}
  int64_t size(const std::string& name, const SizeDomain& domain) override {
    features.emplace_back(name, domain);
    auto found = point_.sizes.find(name);
    return found == point_.sizes.end() ? domain.min() : domain.nearest(found->second);
  }
  std::string choice(const verify::ChoiceAxis& axis) override {
    auto found = point_.choices.find(axis.key);
    return found == point_.choices.end() ? axis.choices[0] : found->second;
  }
  std::vector<std::pair<std::string, SizeDomain>> features;

 private:
  const Point& point_;
};

/// Gives each letter another prime, so that no two sizes are equal by accident.
class Unequal final : public Chooser {
 public:
  int64_t size(const std::string&, const SizeDomain& domain) override {
    constexpr std::array<int64_t, 8> primes{2, 3, 5, 7, 11, 13, 17, 19};
    for (size_t k = 0; k < primes.size(); ++k) {
      int64_t prime = primes[(next_ + k) % primes.size()];
      if (!domain.contains(prime)) continue;
      next_ = next_ + k + 1;
      return prime;
    }
    return domain.nearest(primes[next_++ % primes.size()]);
  }
  std::string choice(const verify::ChoiceAxis& axis) override { return axis.choices[0]; }

 private:
  size_t next_ = 0;
};

class Collector {
 public:
  explicit Collector(const SizeDomain& domain) : domain_(domain) {}
  /// Takes the size if it lies in the domain.
  void exact(int64_t size) {
    if (size >= 0 && domain_.contains(size)) keep(size);
  }
  /// Takes the closest member.
  void near(int64_t size) { keep(domain_.nearest(size)); }
  std::vector<int64_t> out;

 private:
  void keep(int64_t size) {
    if (std::find(out.begin(), out.end(), size) == out.end()) out.push_back(size);
  }
  const SizeDomain& domain_;
};

}  // namespace

std::vector<std::pair<std::string, SizeDomain>> size_features(const Spec& spec,
                                                              const Point& point) {
  Noting noting(point);
  (void)choose_point(spec, noting, point.seed);
  return std::move(noting.features);
}

std::vector<int64_t> interesting_sizes(const SizeDomain& domain, std::optional<int64_t> example,
                                       const Hints& hints, const Bindings& others) {
  Collector sizes(domain);
  sizes.near(domain.min());
  sizes.exact(1);
  sizes.exact(0);
  sizes.exact(2);
  sizes.near(domain.max());
  if (example) {
    int64_t step = domain.ranges()[0].step;
    for (int64_t size : {*example + step, *example - step, *example + 1, *example - 1, *example * 2,
                         *example / 2}) {
      sizes.exact(size);
    }
  }
  // A letter's middle: what is neither an end nor near the example.
  sizes.near(domain.at(domain.count() / 2));
  for (const auto& [name, size] : others) sizes.exact(size);
  constexpr size_t most = 40;
  for (int64_t literal : hints.literals) {
    if (literal < 2 || literal == INT64_MAX) continue;  // Its neighbours shall be numbers, too.
    for (int64_t size : {literal, literal - 1, literal + 1}) sizes.exact(size);
    if (literal <= (int64_t{1} << 40)) sizes.exact(2 * literal);
    if (sizes.out.size() >= most) break;
  }
  return sizes.out;
}

std::optional<Point> base_point(const Spec& spec, const Hints& hints, uint64_t seed) {
  if (hints.example) {
    Point wanted = *hints.example;
    wanted.seed = seed;
    std::optional<Point> settled = nearest_point(spec, wanted);
    if (settled) return settled;
  }
  Unequal unequal;
  std::optional<Point> point = choose_point(spec, unequal, seed);
  return point ? point : nearest_point(spec, Point{{}, {}, seed});
}

}  // namespace assay::fuzz
