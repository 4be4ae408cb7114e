#include "verify/cases/point.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::verify {

namespace {

/// No tensor is larger in one dimension; keeps arithmetic on sizes far from overflow.
constexpr int64_t size_limit = int64_t{1} << 40;

int64_t count_of(const SizeDomain::Range& range) {
  return (range.high - range.low) / range.step + 1;
}

int64_t nearest_in(const SizeDomain::Range& range, int64_t size) {
  int64_t last = range.low + (count_of(range) - 1) * range.step;
  if (size <= range.low) return range.low;
  if (size >= last) return last;
  int64_t below = range.low + (size - range.low) / range.step * range.step;
  return size - below <= below + range.step - size ? below : below + range.step;
}

std::optional<SizeDomain> domain_of(const std::vector<Interval>& intervals, const Bindings& sizes) {
  std::vector<SizeDomain::Range> ranges;
  for (const Interval& interval : intervals) {
    int64_t low = interval.low.evaluate(sizes), high = interval.high.evaluate(sizes);
    int64_t step = std::min(interval.step, size_limit);
    low = std::clamp(low, -size_limit, size_limit);
    high = std::min(high, size_limit);
    if (high < 0) continue;
    // A negative start moves up by whole steps, so that the members stay the same.
    if (low < 0) low += (-low + step - 1) / step * step;
    ranges.push_back({low, high, step});
  }
  return SizeDomain::make(std::move(ranges));
}

/// The walk over one spec: what `choose_point` does after the choices are chosen.
class Walk {
 public:
  Walk(const Spec& spec, Chooser& chooser, Point& point)
      : spec_(spec), chooser_(chooser), point_(point) {}

  bool run() {
    for (const Dim* dim : dims_in_order(spec_)) {
      if (!choose(dim->letter, domain_of(dim->domain, point_.sizes))) return false;
    }
    return std::all_of(spec_.inputs.begin(), spec_.inputs.end(),
                       [&](const Input& input) { return tree(input.name, input.tree); });
  }

 private:
  bool choose(const std::string& name, const std::optional<SizeDomain>& domain) {
    if (!domain) return false;
    point_.sizes[name] = chooser_.size(name, *domain);
    return true;
  }

  bool tree(const std::string& path, const InputTree& node) {
    switch (node.kind) {
      case InputTree::Kind::tensor:
        return shape(path, node.shape);
      case InputTree::Kind::repeated:
        return repeated(path, node);
      default:
        for (size_t i = 0; i < node.children.size(); ++i) {
          std::string child = node.keys.empty() ? std::to_string(i) : node.keys[i];
          if (!tree(fmt::format("{}.{}", path, child), node.children[i])) return false;
        }
        return true;
    }
  }

  bool repeated(const std::string& path, const InputTree& node) {
    int64_t count = node.count.evaluate(point_.sizes);
    constexpr int64_t max_count = 4096;
    if (count < 0 || count > max_count) return false;
    for (int64_t i = 0; i < count; ++i) {
      if (!tree(fmt::format("{}.{}", path, i), node.children[0])) return false;
    }
    return true;
  }

  bool shape(const std::string& path, const std::vector<ShapeItem>& items) {
    for (size_t d = 0; d < items.size(); ++d) {
      const ShapeItem& item = items[d];
      if (item.kind == ShapeItem::Kind::size && item.size.evaluate(point_.sizes) < 0) return false;
      if (item.kind == ShapeItem::Kind::any &&
          !choose(fmt::format("{}.{}", path, d), SizeDomain::make({any_size}))) {
        return false;
      }
      if (item.kind == ShapeItem::Kind::pack && !pack(item.name)) return false;
    }
    return true;
  }

  bool pack(const std::string& name) {
    std::string rank = "*" + name;
    if (point_.sizes.count(rank)) return true;  // Chosen where the pack occurred before.
    auto given = spec_.ranks.find(name);
    auto [low, high] =
        given != spec_.ranks.end() ? given->second : std::pair<int64_t, int64_t>{0, 3};
    if (!choose(rank, SizeDomain::make({{low, high, 1}}))) return false;
    for (int64_t k = 0; k < point_.sizes[rank]; ++k) {
      if (!choose(fmt::format("{}.{}", name, k), SizeDomain::make({any_size}))) return false;
    }
    return true;
  }

  const Spec& spec_;
  Chooser& chooser_;
  Point& point_;
};

class Settler final : public Chooser {
 public:
  explicit Settler(const Point& wanted) : wanted_(wanted) {}
  int64_t size(const std::string& name, const SizeDomain& domain) override {
    auto found = wanted_.sizes.find(name);
    return found == wanted_.sizes.end() ? domain.min() : domain.nearest(found->second);
  }
  std::string choice(const ChoiceAxis& axis) override {
    auto found = wanted_.choices.find(axis.key);
    bool legal =
        found != wanted_.choices.end() &&
        std::find(axis.choices.begin(), axis.choices.end(), found->second) != axis.choices.end();
    return legal ? found->second : axis.choices[0];
  }

 private:
  const Point& wanted_;
};

}  // namespace

std::optional<SizeDomain> SizeDomain::make(std::vector<Range> ranges) {
  SizeDomain domain;
  for (const Range& range : ranges) {
    if (range.low <= range.high) domain.ranges_.push_back(range);
  }
  if (domain.ranges_.empty()) return std::nullopt;
  return domain;
}

bool SizeDomain::contains(int64_t size) const { return nearest(size) == size; }

int64_t SizeDomain::nearest(int64_t size) const {
  int64_t best = nearest_in(ranges_[0], size);
  for (const Range& range : ranges_) {
    int64_t member = nearest_in(range, size);
    int64_t far = std::abs(member - size), best_far = std::abs(best - size);
    if (far < best_far || (far == best_far && member < best)) best = member;
  }
  return best;
}

int64_t SizeDomain::min() const {
  int64_t least = ranges_[0].low;
  for (const Range& range : ranges_) least = std::min(least, range.low);
  return least;
}

int64_t SizeDomain::max() const {
  int64_t most = ranges_[0].low;
  for (const Range& range : ranges_) {
    most = std::max(most, range.low + (count_of(range) - 1) * range.step);
  }
  return most;
}

int64_t SizeDomain::count() const {
  int64_t total = 0;
  for (const Range& range : ranges_) total += count_of(range);
  return total;
}

int64_t SizeDomain::at(int64_t k) const {
  for (const Range& range : ranges_) {
    int64_t own = count_of(range);
    if (k < own) return range.low + k * range.step;
    k -= own;
  }
  base::unreachable("a size beyond its domain");
}

std::optional<Point> choose_point(const Spec& spec, Chooser& chooser, uint64_t seed) {
  return choose_point(spec, choice_axes(spec), chooser, seed);
}

std::optional<Point> choose_point(const Spec& spec, const std::vector<ChoiceAxis>& axes,
                                  Chooser& chooser, uint64_t seed) {
  Point point;
  point.seed = seed;
  point.choices.reserve(axes.size());
  for (const ChoiceAxis& axis : axes) point.choices[axis.key] = chooser.choice(axis);
  return choose_sizes(spec, chooser, std::move(point));
}

std::optional<Point> choose_sizes(const Spec& spec, Chooser& chooser, Point point) {
  try {
    if (!Walk(spec, chooser, point).run()) return std::nullopt;
  } catch (const base::Error& error) {
    // Arithmetic on sizes has no result here (a division by zero): no such point.
    if (error.kind() != base::ErrorKind::input) throw;
    return std::nullopt;
  }
  return point;
}

std::optional<Point> nearest_point(const Spec& spec, const Point& wanted) {
  Settler settler(wanted);
  return choose_point(spec, settler, wanted.seed);
}

bool in_domain(const Spec& spec, const Point& point) { return nearest_point(spec, point) == point; }

}  // namespace assay::verify
