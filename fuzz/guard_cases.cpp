#include "fuzz/guard_cases.h"

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <algorithm>

#include "engine/base/error.h"
#include "fuzz/budget.h"
#include "fuzz/generate/points.h"
#include "verify/diagnosis/origin.h"
#include "verify/guards/guards.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: a plan is about everything that verify names.
using guards::Condition;

namespace {

/// Exports at most that look for a case in which a condition that cannot be solved is false.
constexpr int most_exports = 16;

std::string shown(SourceLocation place) {
  place.file = diagnosis::relative_path(place.file);
  return place_text(place);
}

RunReport::Guard report_of(const Condition& c) {
  RunReport::Guard out;
  out.condition = c.text;
  out.written = c.written;
  out.place = shown(c.place);
  out.kind = std::string(guards::kind_name(c.kind));
  return out;
}

/// Looks for points at which conditions come out otherwise, by exports.
class Search {
 public:
  Search(const Spec& spec, Exporter& exporter, const Hints& hints, uint64_t seed)
      : spec_(spec), exporter_(exporter), random_(seed), generator_(points(spec, hints)) {
    auto base = base_point(spec, hints, seed);
    if (base) around(*base);
  }

  /// The point that was found for each condition, in their order.
  std::vector<std::optional<Point>> find(const std::vector<const Condition*>& open,
                                         const std::function<bool(double)>& too_late) {
    std::vector<std::optional<Point>> found(open.size());
    double longest = 0;
    auto done = [&] {
      return std::all_of(found.begin(), found.end(), [](auto& f) { return !!f; });
    };
    for (int k = 0; k < most_exports && !done() && !too_late(longest); ++k) {
      Point point = next();
      if (point.choices.empty()) return found;
      double begun = steady_seconds();
      ExportResult made = exporter_.export_at(build_case(spec_, point), false);
      longest = std::max(longest, steady_seconds() - begun);
      if (!made.exported || !made.exported->origins()) continue;
      for (size_t i = 0; i < open.size(); ++i) {
        if (!found[i] && otherwise(*open[i], *made.exported->origins())) found[i] = point;
      }
    }
    return found;
  }

 private:
  static bool otherwise(const Condition& c, const Origins& origins) {
    // What a condition is over the inputs can depend on branches before it: the only one of its
    // line is itself, whatever its text.
    std::vector<const Origins::Guard*> here, same;
    for (const Origins::Guard& g : origins.guards) {
      bool there = g.place.file == c.place.file && g.place.line == c.place.line;
      if (there && g.value.is_bool()) here.push_back(&g);
      if (there && g.value.is_bool() && g.condition == c.written) same.push_back(&g);
    }
    if (same.empty() && here.size() == 1) same = here;
    return std::any_of(same.begin(), same.end(),
                       [&](const auto* g) { return g->value.to_bool() != c.answer; });
  }

  /// Each kind of values, then each size, alone.
  void around(const Point& base) {
    for (const ChoiceAxis& axis : choice_axes(spec_)) {
      if (axis.kind != "value") continue;
      for (const std::string& word : axis.choices) {
        Point point = base;
        point.choices[axis.key] = word;
        first_.push_back(std::move(point));
      }
    }
    for (const auto& [name, domain] : size_features(spec_, base)) {
      for (int64_t size : {domain.max(), domain.min()}) {
        Point point = base;
        point.sizes[name] = size;
        if (auto near = nearest_point(spec_, point)) first_.push_back(std::move(*near));
      }
    }
    // Some of the exports are left to points that are drawn.
    constexpr size_t most = most_exports * 3 / 4;
    if (first_.size() > most) first_.resize(most);
  }

  Point next() {
    if (at_ < first_.size()) return first_[at_++];
    constexpr int middling = 50;
    return generator_(random_.split(), middling).value();
  }

  const Spec& spec_;
  Exporter& exporter_;
  rc::Random random_;
  rc::Gen<Point> generator_;
  std::vector<Point> first_;
  size_t at_ = 0;
};

}  // namespace

GuardCases guard_cases(const Spec& spec, const Export& exported, Exporter* exporter,
                       const Hints& hints, uint64_t seed,
                       const std::function<bool(double)>& too_late) {
  GuardCases out;
  auto base = base_point(spec, hints, seed);
  if (!exported.origins() || spec.inputs.empty() || !base) return out;
  auto valid =
      guards::validity(spec, *exported.origins(), guards::input_names(exported.program()), *base);
  out.report.traced = true;
  out.report.for_all_sizes = valid.for_all_sizes();
  out.report.rests_on = valid.rests_on();
  std::vector<const Condition*> open;
  for (const Condition& c : valid.conditions) {
    if (c.kind == Condition::Kind::unread || c.kind == Condition::Kind::undecided) {
      open.push_back(&c);
    }
  }
  std::vector<std::optional<Point>> found(open.size());
  if (exporter && !open.empty()) {
    found = Search(spec, *exporter, hints, seed).find(open, too_late);
  }
  size_t next = 0;
  for (const Condition& c : valid.conditions) {
    RunReport::Guard guard = report_of(c);
    bool searched = next < open.size() && open[next] == &c;
    std::optional<Point> point = searched ? found[next++] : c.otherwise;
    if (c.kind == Condition::Kind::implied) point.reset();
    if (point) {
      // One case may make several conditions false.
      auto known = std::find(out.points.begin(), out.points.end(), *point);
      guard.point = static_cast<size_t>(known - out.points.begin());
      guard.otherwise = describe(build_case(spec, *point));
      if (known == out.points.end()) out.points.push_back(std::move(*point));
    } else if (searched) {
      guard.outcome =
          exporter ? "no case found that makes it false" : "not tried: no export is at hand";
    }
    out.report.conditions.push_back(std::move(guard));
  }
  out.report.sentence = valid.sentence();
  for (const guards::Fixed& f : valid.fixed) {
    out.report.fixed.push_back({f.text, f.value, f.what, shown(f.place)});
  }
  return out;
}

bool GuardListener::hears_of(const Case& c) const {
  return std::ranges::find(cases_.points, c.point) != cases_.points.end();
}

void GuardListener::case_judged(const Property& property, const Case& c,
                                const Judgement& judgement) {
  if (property.id() != "parity") return;
  for (RunReport::Guard& guard : cases_.report.conditions) {
    bool its = guard.point && cases_.points[*guard.point] == c.point;
    if (its) guard.outcome = verdict_name(judgement.verdict);
  }
}

}  // namespace assay::fuzz
