#include "fuzz/generate/points.h"

#include <rapidcheck/Random.h>

#include <algorithm>
#include <memory>

#include "fuzz/shrink/point.h"

namespace assay::fuzz {

using verify::ChoiceAxis;
using verify::Chooser;
using verify::Point;
using verify::SizeDomain;
using verify::Spec;

namespace {

class RandomChooser final : public Chooser {
 public:
  RandomChooser(const rc::Random& random, int size, const Hints& hints)
      : random_(random), size_(size), hints_(hints) {}

  int64_t size(const std::string& name, const SizeDomain& domain) override {
    int64_t chosen = biased(name, domain);
    chosen_[name] = chosen;
    return chosen;
  }

  std::string choice(const ChoiceAxis& axis) override {
    // The plain choice most often: a case in which everything is unusual tells little.
    if (axis.choices.size() == 1 || below(10) < 6) return axis.choices[0];
    return axis.choices[below(axis.choices.size())];
  }

  uint64_t seed() { return random_.split().next(); }

 private:
  uint64_t below(uint64_t bound) { return random_.split().next() % bound; }

  int64_t biased(const std::string& name, const SizeDomain& domain) {
    uint64_t kind = below(100);
    if (kind < 30) {
      std::optional<int64_t> example;
      if (hints_.example) {
        auto found = hints_.example->sizes.find(name);
        if (found != hints_.example->sizes.end()) example = found->second;
      }
      std::vector<int64_t> candidates = interesting_sizes(domain, example, hints_, chosen_);
      return candidates[below(candidates.size())];
    }
    if (kind < 40 && !chosen_.empty()) {
      auto other = chosen_.begin();
      std::advance(other, static_cast<long>(below(chosen_.size())));
      return domain.nearest(other->second);
    }
    if (kind < 55 && !hints_.literals.empty()) {
      // A multiple, or what lies beside one.
      int64_t literal = hints_.literals[below(hints_.literals.size())];
      literal = std::min(literal, int64_t{1} << 30);
      int64_t times = static_cast<int64_t>(below(4)) + 1;
      return domain.nearest(literal * times + static_cast<int64_t>(below(3)) - 1);
    }
    return anywhere(domain);
  }

  /// Any member; of a wide domain mostly small ones, growing with RapidCheck's size.
  int64_t anywhere(const SizeDomain& domain) {
    auto count = static_cast<uint64_t>(domain.count());
    uint64_t reach = std::max<uint64_t>(4, count * static_cast<uint64_t>(size_ + 1) / 101);
    return domain.at(static_cast<int64_t>(below(std::min(count, reach))));
  }

  rc::Random random_;
  int size_;
  const Hints& hints_;
  verify::Bindings chosen_;
};

}  // namespace

rc::Gen<Point> points(const Spec& spec, const Hints& hints) {
  auto shared_spec = std::make_shared<const Spec>(spec);
  auto shared_hints = std::make_shared<const Hints>(hints);
  auto axes = std::make_shared<const std::vector<ChoiceAxis>>(choice_axes(spec));
  return [shared_spec, shared_hints, axes](const rc::Random& random, int size) {
    RandomChooser chooser(random, size, *shared_hints);
    uint64_t seed = chooser.seed();
    std::optional<Point> point;
    constexpr int attempts = 8;
    for (int k = 0; k < attempts && !point; ++k)
      point = choose_point(*shared_spec, *axes, chooser, seed);
    if (!point) point = nearest_point(*shared_spec, Point{{}, {}, seed});
    return shrinkable_point(shared_spec, point.value_or(Point{}));
  };
}

}  // namespace assay::fuzz
