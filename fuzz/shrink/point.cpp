#include "fuzz/shrink/point.h"

#include <rapidcheck/seq/Create.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <set>

#include "fuzz/generate/hints.h"

namespace assay::fuzz {

using verify::ChoiceAxis;
using verify::Point;
using verify::SizeDomain;
using verify::Spec;

namespace {

/// Orders points by simplicity: fewer unusual choices, then smaller sizes, then seed 0. A shrink is
/// taken only if it comes before, so that no walk can go in circles when sizes depend on each
/// other.
std::vector<int64_t> weight_of(const Spec& spec, const Point& point) {
  int64_t unusual = 0, total = 0;
  for (const ChoiceAxis& axis : choice_axes(spec)) {
    auto found = point.choices.find(axis.key);
    auto at = found == point.choices.end()
                  ? axis.choices.begin()
                  : std::find(axis.choices.begin(), axis.choices.end(), found->second);
    unusual += at - axis.choices.begin();
  }
  for (const auto& [name, size] : point.sizes) total += std::min(size, int64_t{1} << 40);
  return {unusual, total, point.seed == 0 ? 0 : 1};
}

class Candidates {
 public:
  Candidates(const Spec& spec, const Point& point)
      : spec_(spec), point_(point), weight_(weight_of(spec, point)) {}

  std::vector<Point> all() {
    add(Point{{}, {}, point_.seed});
    choices();
    sizes();
    Point point = point_;
    point.seed = 0;
    add(point);
    return std::move(out_);
  }

 private:
  void add(const Point& wanted) {
    std::optional<Point> settled = nearest_point(spec_, wanted);
    if (!settled || weight_of(spec_, *settled) >= weight_) return;
    if (seen_.insert(*settled).second) out_.push_back(std::move(*settled));
  }

  void choices() {
    for (const ChoiceAxis& axis : choice_axes(spec_)) {
      auto found = point_.choices.find(axis.key);
      if (found == point_.choices.end()) continue;
      for (const std::string& choice : axis.choices) {
        if (choice == found->second) break;
        Point point = point_;
        point.choices[axis.key] = choice;
        add(point);
      }
    }
  }

  void sizes() {
    for (const auto& [name, domain] : size_features(spec_, point_)) {
      int64_t size = point_.sizes.at(name), least = domain.min();
      auto with = [&, at = name](int64_t smaller) {
        Point point = point_;
        point.sizes[at] = smaller;
        add(point);
      };
      with(least);
      if (size > 1) with(1);
      if (size > 2) with(2);
      with(domain.nearest(least + (size - least) / 2));
      int64_t step = std::max<int64_t>(1, domain.ranges()[0].step);
      with(domain.nearest(size - step));
      if (step > 1) with(size - 1);
    }
  }

  const Spec& spec_;
  const Point& point_;
  std::vector<int64_t> weight_;
  std::vector<Point> out_;
  std::set<Point> seen_;
};

}  // namespace

bool simpler(const Spec& spec, const Point& a, const Point& b) {
  return weight_of(spec, a) < weight_of(spec, b);
}

std::vector<Point> smaller_points(const Spec& spec, const Point& point) {
  return Candidates(spec, point).all();
}

rc::Shrinkable<Point> shrinkable_point(std::shared_ptr<const Spec> spec, Point point) {
  return rc::shrinkable::shrinkRecur(std::move(point), [spec = std::move(spec)](const Point& p) {
    return rc::seq::fromContainer(smaller_points(*spec, p));
  });
}

Shrunk shrink(rc::Shrinkable<Point> start, const std::string& key,
              const std::function<Attempt(const Point&)>& attempt, const ShrinkLimits& limits) {
  Shrunk out;
  out.point = start.value();
  std::set<Point> tried;
  std::set<std::string> other_keys;
  for (bool better = true; better;) {
    better = false;
    rc::Seq<rc::Shrinkable<Point>> simpler_ones = start.shrinks();
    while (rc::Maybe<rc::Shrinkable<Point>> next = simpler_ones.next()) {
      Point candidate = next->value();
      if (!tried.insert(candidate).second) continue;
      if (out.tried >= limits.max_steps || limits.stop()) return out;
      ++out.tried;
      Attempt result = attempt(candidate);
      if (!result.fails) continue;
      if (result.key != key) {
        if (other_keys.insert(result.key).second) {
          out.other_failures.emplace_back(candidate, result.key);
        }
        continue;
      }
      out.point = std::move(candidate);
      start = std::move(*next);
      better = true;
      break;
    }
  }
  out.complete = true;
  return out;
}

}  // namespace assay::fuzz
