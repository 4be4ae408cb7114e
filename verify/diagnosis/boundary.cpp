#include "verify/diagnosis/boundary.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace assay::verify {
namespace {

using Verdict = Boundary::Region::Verdict;

/// What is told about one size or choice.
struct Mark {
  Verdict verdict = Verdict::untested;
  std::string how;
  friend bool operator==(const Mark&, const Mark&) = default;
};

std::string how_text(const Judgement& j) {
  const Difference* headline = j.comparison.headline();
  if (!headline) return {};
  switch (headline->layer) {
    case Layer::ending:
      return {};
    case Layer::values:
      return "wrong values";
    default:
      return fmt::format("wrong {}", layer_name(headline->layer));
  }
}

Mark mark_of(const Judgement& j) {
  Mark mark{region_of(j), {}};
  if (mark.verdict == Verdict::wrong) mark.how = how_text(j);
  return mark;
}

/// A size or a choice is right where further values are, too: what decides may be a value that is
/// rare, and rarer in few elements than in many.
Mark mark_of_drawings(const Spec& spec, const Judge& judge, Point point) {
  constexpr int further_drawings = 4;
  Mark mark = mark_of(judge(build_case(spec, point)));
  for (int k = 0; k < further_drawings && mark.verdict == Verdict::right; ++k) {
    ++point.seed;
    Mark other = mark_of(judge(build_case(spec, point)));
    bool fails = other.verdict != Verdict::untested && other.verdict != Verdict::rejected;
    if (fails) mark = other;
  }
  return mark;
}

class SizeMeasure {
 public:
  SizeMeasure(const Spec& spec, const Case& base, const FeatureAxis& axis, const Judge& judge,
              const std::vector<Case>* only, size_t budget)
      : spec_(spec), base_(base), axis_(axis), judge_(judge), only_(only), budget_(budget) {}

  Boundary run() {
    Boundary b;
    b.axis = axis_;
    auto domain = sizes();
    b.exact = only_ || domain.size() <= budget_;
    if (b.exact) {
      for (int64_t size : domain) measure(size);
    } else {
      sample(domain);
      do bisect(domain);
      while (fill(domain));
    }
    b.regions = regions(domain, b.exact);
    b.held = held();
    b.possible = static_cast<int64_t>(domain.size());
    b.measured = std::count_if(marks_.begin(), marks_.end(),
                               [](const auto& m) { return m.second.verdict != Verdict::untested; });
    return b;
  }

 private:
  /// All sizes the letter can have with the other letters as they are.
  std::vector<int64_t> sizes() const {
    std::set<int64_t> found;
    class Collector : public Chooser {
     public:
      Collector(const Point& like, const std::string& letter, std::set<int64_t>& into)
          : like_(like), letter_(letter), into_(into) {}
      int64_t size(const std::string& name, const SizeDomain& domain) override {
        auto at = like_.sizes.find(name);
        int64_t usual = domain.nearest(at == like_.sizes.end() ? 1 : at->second);
        if (name == letter_) {
          constexpr int64_t most = 100000;
          for (int64_t k = 0; k < std::min(domain.count(), most); ++k) into_.insert(domain.at(k));
        }
        return usual;
      }
      std::string choice(const ChoiceAxis& axis) override {
        auto at = like_.choices.find(axis.key);
        return at == like_.choices.end() ? axis.choices[0] : at->second;
      }

     private:
      const Point& like_;
      const std::string& letter_;
      std::set<int64_t>& into_;
    } collector(base_.point, axis_.letter, found);
    choose_point(spec_, collector, base_.point.seed);
    return {found.begin(), found.end()};
  }

  /// The other letters that could have another size; none where cases had to be taken as they are.
  std::vector<std::pair<std::string, int64_t>> held() const {
    std::vector<std::pair<std::string, int64_t>> out;
    if (only_) return out;
    for (const Dim& dim : spec_.dims) {
      auto at = base_.point.sizes.find(dim.letter);
      bool varies = dim.domain.size() != 1 || dim.domain[0].low != dim.domain[0].high;
      bool other = dim.letter != axis_.letter && at != base_.point.sizes.end();
      if (other && varies) out.emplace_back(dim.letter, at->second);
    }
    return out;
  }

  void measure(int64_t size) {
    if (marks_.count(size)) return;
    if (only_) {
      const Case* at = recorded(size);
      marks_[size] = at ? mark_of(judge_(*at)) : Mark{};
      return;
    }
    Point wanted = base_.point;
    wanted.sizes[axis_.letter] = size;
    auto point = nearest_point(spec_, wanted);
    bool kept = point && point->sizes.at(axis_.letter) == size;
    marks_[size] = kept ? mark_of_drawings(spec_, judge_, *point) : Mark{};
  }

  const Case* recorded(int64_t size) const {
    Bindings wanted = base_.point.sizes;
    wanted[axis_.letter] = size;
    const Case* other = nullptr;
    for (const Case& c : *only_) {
      auto at = c.point.sizes.find(axis_.letter);
      if (at == c.point.sizes.end() || at->second != size) continue;
      bool alike = c.point.sizes == wanted && c.point.choices == base_.point.choices;
      if (alike) return &c;
      if (!other) other = &c;
    }
    return other;
  }

  void sample(const std::vector<int64_t>& domain) {
    auto nearest = [&](int64_t size) {
      auto at = std::lower_bound(domain.begin(), domain.end(), size);
      return at == domain.end() ? domain.back() : *at;
    };
    int64_t own = base_.point.sizes.at(axis_.letter);
    for (int64_t size : {domain.front(), domain.back(), own, own - 1, own + 1}) {
      measure(nearest(size));
    }
    for (int64_t step = 1; step < domain.back() && marks_.size() < budget_ / 2; step *= 2) {
      measure(nearest(domain.front() + step));
    }
  }

  void bisect(const std::vector<int64_t>& domain) {
    auto index = [&](int64_t size) {
      return std::lower_bound(domain.begin(), domain.end(), size) - domain.begin();
    };
    for (bool found = true; found && marks_.size() < budget_;) {
      found = false;
      for (auto a = marks_.begin(), b = std::next(a); b != marks_.end(); a = b++) {
        auto low = index(a->first), high = index(b->first);
        if (a->second == b->second || high - low < 2) continue;
        measure(domain[static_cast<size_t>((low + high) / 2)]);
        found = true;
        break;
      }
    }
  }

  /// Measures in the middle of the widest gap, since single sizes may be otherwise there. False
  /// where there is none, or the budget is spent.
  bool fill(const std::vector<int64_t>& domain) {
    auto index = [&](int64_t size) {
      return std::lower_bound(domain.begin(), domain.end(), size) - domain.begin();
    };
    auto low = index(marks_.begin()->first), high = low;
    for (auto a = marks_.begin(), b = std::next(a); b != marks_.end(); a = b++) {
      if (index(b->first) - index(a->first) <= high - low) continue;
      low = index(a->first), high = index(b->first);
    }
    if (high - low < 2 || marks_.size() >= budget_) return false;
    measure(domain[static_cast<size_t>((low + high) / 2)]);
    return true;
  }

  /// Neighbouring sizes with the same mark as intervals. Where not all were measured, what lies
  /// between two equal marks is taken to be alike.
  std::vector<Boundary::Region> regions(const std::vector<int64_t>& domain, bool exact) const {
    std::vector<Boundary::Region> out;
    auto region = [&](const Mark& m) -> Boundary::Region& {
      for (auto& r : out) {
        if (r.verdict == m.verdict && r.how == m.how) return r;
      }
      out.push_back({m.verdict, {}, {}, m.how});
      return out.back();
    };
    auto position = [&](int64_t size) {
      return std::lower_bound(domain.begin(), domain.end(), size) - domain.begin();
    };
    const Mark* last = nullptr;
    int64_t last_size = 0;
    for (const auto& [size, mark] : marks_) {
      auto& r = region(mark);
      bool next = last && *last == mark && (!exact || position(size) == position(last_size) + 1);
      if (next) {
        r.sizes.back().second = size;
      } else {
        r.sizes.emplace_back(size, size);
      }
      last = &mark;
      last_size = size;
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.verdict < b.verdict; });
    return out;
  }

  const Spec& spec_;
  const Case& base_;
  const FeatureAxis& axis_;
  const Judge& judge_;
  const std::vector<Case>* only_;
  size_t budget_;
  std::map<int64_t, Mark> marks_;
};

/// How often drawn values of the same shapes fail, in each way.
Boundary measure_values(const Spec& spec, const Case& base, const FeatureAxis& axis,
                        const Judge& judge, const std::vector<Case>* only) {
  constexpr size_t drawings = 16;
  Boundary b;
  b.axis = axis;
  std::vector<std::pair<Mark, size_t>> counts;
  size_t total = 0;
  auto add = [&](const Case& c) {
    Mark mark = mark_of(judge(c));
    if (mark.verdict == Verdict::untested || total >= drawings) return;
    ++total;
    auto same = std::find_if(counts.begin(), counts.end(),
                             [&](const auto& entry) { return entry.first == mark; });
    if (same == counts.end()) same = counts.insert(counts.end(), {mark, 0});
    ++same->second;
  };
  if (base.given && !only) {
    Mark mark = mark_of(judge(base));
    b.regions.push_back({mark.verdict, {}, {"the example"}, mark.how});
  }
  if (only) {
    for (const Case& c : *only) {
      if (c.point.sizes == base.point.sizes) add(c);
    }
  } else if (auto point = nearest_point(spec, base.point)) {
    for (point->seed = 0; point->seed < drawings; ++point->seed) add(build_case(spec, *point));
  }
  for (const auto& [mark, count] : counts) {
    std::string share = fmt::format("{} of {} drawings", count, total);
    bool as_example = !b.regions.empty() && b.regions[0].verdict == mark.verdict &&
                      b.regions[0].how == mark.how && b.regions[0].choices[0] == "the example";
    if (as_example) {
      b.regions[0].choices[0] += " and " + share;
    } else {
      b.regions.push_back({mark.verdict, {}, {share}, mark.how});
    }
  }
  std::stable_sort(b.regions.begin(), b.regions.end(),
                   [](const auto& x, const auto& y) { return x.verdict < y.verdict; });
  return b;
}

Boundary measure_choices(const Spec& spec, const Case& base, const FeatureAxis& axis,
                         const Judge& judge) {
  Boundary b;
  b.axis = axis;
  b.exact = true;
  std::string key = axis.path.empty() ? axis.kind : axis.kind + " " + axis.path;
  for (const ChoiceAxis& choice : choice_axes(spec)) {
    if (choice.key != key) continue;
    for (const std::string& value : choice.choices) {
      Point wanted = base.point;
      wanted.choices[key] = value;
      auto point = nearest_point(spec, wanted);
      if (!point) continue;
      Mark mark = mark_of_drawings(spec, judge, *point);
      auto same = std::find_if(b.regions.begin(), b.regions.end(), [&](const auto& r) {
        return r.verdict == mark.verdict && r.how == mark.how;
      });
      if (same == b.regions.end()) {
        b.regions.push_back({mark.verdict, {}, {value}, mark.how});
      } else {
        same->choices.push_back(value);
      }
    }
  }
  return b;
}

}  // namespace

Verdict region_of(const Judgement& judgement) {
  switch (judgement.verdict) {
    case Judgement::Verdict::holds:
      return Verdict::right;
    case Judgement::Verdict::discarded:
      return Verdict::rejected;
    case Judgement::Verdict::violated:
      break;
    default:
      return Verdict::untested;
  }
  switch (visibility_of(judgement.comparison)) {
    case Visibility::loud:
      return Verdict::error;
    case Visibility::lenient:
      return Verdict::lenient;
    default:
      return Verdict::wrong;
  }
}

Boundary measure_boundary(const Spec& spec, const Case& base, const FeatureAxis& axis,
                          const Judge& judge, const std::vector<Case>* only, size_t budget) {
  if (axis.is_size() && base.point.sizes.count(axis.letter)) {
    return SizeMeasure(spec, base, axis, judge, only, budget).run();
  }
  if (axis.kind == "value" && axis.path.empty()) {
    return measure_values(spec, base, axis, judge, only);
  }
  return measure_choices(spec, base, axis, judge);
}

std::optional<Case> failing_case(const Spec& spec, const Boundary& boundary, const Case& right) {
  for (const Boundary::Region& region : boundary.regions) {
    bool fails = region.verdict == Verdict::wrong || region.verdict == Verdict::error ||
                 region.verdict == Verdict::lenient;
    if (!fails || region.sizes.empty()) continue;
    Point wanted = right.point;
    wanted.sizes[boundary.axis.letter] = region.sizes[0].first;
    if (auto point = nearest_point(spec, wanted)) return build_case(spec, *point);
  }
  return std::nullopt;
}

void leave_open_where_nothing_is_right(Boundary& boundary) {
  bool any_right = std::ranges::any_of(boundary.regions, [](const Boundary::Region& region) {
    return region.verdict == Verdict::right;
  });
  if (any_right) return;
  for (Boundary::Region& region : boundary.regions) {
    region.verdict = Verdict::untested;
    region.how = "not told apart from the values, which decide first,";
  }
  boundary.measured = boundary.possible;
}

}  // namespace assay::verify
