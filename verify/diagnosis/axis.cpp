#include "verify/diagnosis/axis.h"

#include <algorithm>
#include <vector>

namespace assay::verify::diagnosis {
namespace {

/// A feature in which two points differ, and how to carry it over.
struct Feature {
  FeatureAxis axis;
  std::string key;  ///< In Point::choices; empty for sizes and seeds.
  bool is_seed = false;
};

FeatureAxis choice_feature(const ChoiceAxis& choice) {
  FeatureAxis axis;
  axis.kind = choice.kind;
  axis.path = choice.path;
  return axis;
}

std::vector<Feature> differing(const Spec& spec, const Point& a, const Point& b) {
  std::vector<Feature> found;
  auto choice = [](const Point& p, const ChoiceAxis& axis) {
    auto at = p.choices.find(axis.key);
    return at == p.choices.end() ? axis.choices[0] : at->second;
  };
  // What the run is, before what its inputs are: a mode explains more than a size.
  for (const ChoiceAxis& axis : choice_axes(spec)) {
    bool values = axis.kind == "value";
    if (!values && choice(a, axis) != choice(b, axis))
      found.push_back({choice_feature(axis), axis.key});
  }
  for (const auto& [letter, size] : a.sizes) {
    auto other = b.sizes.find(letter);
    if (other != b.sizes.end() && other->second != size)
      found.push_back({dim_axis(spec, letter), {}});
  }
  for (const ChoiceAxis& axis : choice_axes(spec)) {
    bool values = axis.kind == "value";
    if (values && choice(a, axis) != choice(b, axis))
      found.push_back({choice_feature(axis), axis.key});
  }
  if (a.seed != b.seed) {
    FeatureAxis axis;
    axis.kind = "value";
    found.push_back({axis, {}, true});
  }
  return found;
}

/// `base` with one feature as in `from`.
std::optional<Case> with_feature(const Spec& spec, const Case& base, const Case& from,
                                 const Feature& feature) {
  Point wanted = base.point;
  if (feature.is_seed) {
    wanted.seed = from.point.seed;
  } else if (feature.key.empty()) {
    wanted.sizes[feature.axis.letter] = from.point.sizes.at(feature.axis.letter);
  } else {
    auto choice = from.point.choices.find(feature.key);
    if (choice == from.point.choices.end()) {
      wanted.choices.erase(feature.key);
    } else {
      wanted.choices[feature.key] = choice->second;
    }
  }
  auto point = nearest_point(spec, wanted);
  if (!point) return std::nullopt;
  return build_case(spec, *point);
}

FeatureAxis value_axis() {
  FeatureAxis axis;
  axis.kind = "value";
  return axis;
}

FeatureAxis plainest_guess(const Spec& spec, const Case& failing) {
  for (const ChoiceAxis& axis : choice_axes(spec)) {
    auto choice = failing.point.choices.find(axis.key);
    bool plain = choice == failing.point.choices.end() || choice->second == axis.choices[0];
    if (!plain && axis.kind != "value") return choice_feature(axis);
  }
  const auto& sizes = failing.point.sizes;
  auto is_plain = [&](const std::string& letter, int64_t plainest) {
    auto size = sizes.find(letter);
    return size == sizes.end() || size->second == plainest;
  };
  for (const auto& [pack, bounds] : spec.ranks) {
    if (!is_plain("*" + pack, bounds.first)) return dim_axis(spec, "*" + pack);
  }
  for (const Dim& dim : spec.dims) {
    if (!is_plain(dim.letter, dim.domain.front().low.evaluate(sizes))) {
      return dim_axis(spec, dim.letter);
    }
  }
  return value_axis();
}

std::string value_at(const Point& point, const Feature& f) {
  if (f.is_seed) return std::to_string(point.seed);
  if (f.key.empty()) {
    auto size = point.sizes.find(f.axis.letter);
    return size == point.sizes.end() ? std::string() : std::to_string(size->second);
  }
  auto choice = point.choices.find(f.key);
  return choice == point.choices.end() ? std::string() : choice->second;
}

/// What is known where nothing but certain cases can be judged.
class Verdicts {
 public:
  Verdicts(const Spec& spec, const std::vector<Case>& cases, const Judge& judge) : spec_(spec) {
    for (const Case& c : cases) {
      Judgement::Verdict verdict = judge(c).verdict;
      if (verdict == Judgement::Verdict::holds) right_.push_back(&c.point);
      if (verdict == Judgement::Verdict::violated) wrong_.push_back(&c.point);
    }
  }

  /// No value of the feature is right in one case and wrong in another.
  bool explained_by(const Feature& f) const {
    for (const Point* r : right_) {
      for (const Point* w : wrong_) {
        if (value_at(*r, f) == value_at(*w, f)) return false;
      }
    }
    return true;
  }
  /// Pairs of differing verdict that differ in this feature alone.
  size_t pairs(const Feature& f) const {
    size_t count = 0;
    for (const Point* r : right_) {
      for (const Point* w : wrong_) {
        // Every recorded call has drawings of its own, so the seed tells nothing here.
        Point alike = *w;
        alike.seed = r->seed;
        auto features = differing(spec_, *r, alike);
        count += features.size() == 1 && features[0].axis == f.axis ? 1 : 0;
      }
    }
    return count;
  }

 private:
  const Spec& spec_;
  std::vector<const Point*> right_, wrong_;
};

DecidingAxis decide_among(const Spec& spec, const Case& failing, const Case& right,
                          const Verdicts& verdicts) {
  auto features = differing(spec, failing.point, right.point);
  DecidingAxis out{value_axis(), std::nullopt, {}};
  if (features.empty()) return out;
  std::vector<Feature> explaining;
  for (const Feature& f : features) {
    if (!f.is_seed && verdicts.explained_by(f)) explaining.push_back(f);
  }
  if (explaining.empty()) {
    auto most = std::max_element(features.begin(), features.end(), [&](auto& a, auto& b) {
      return verdicts.pairs(a) < verdicts.pairs(b);
    });
    out.axis = most->axis;
    return out;
  }
  std::stable_sort(explaining.begin(), explaining.end(), [&](const auto& a, const auto& b) {
    return verdicts.pairs(a) > verdicts.pairs(b);
  });
  out.axis = explaining[0].axis;
  size_t alone = verdicts.pairs(explaining[0]);
  for (size_t i = 1; i < explaining.size(); ++i) {
    if (verdicts.pairs(explaining[i]) == alone) out.equally.push_back(explaining[i].axis);
  }
  return out;
}

/// The case with one of so many further drawings of its values, if that alone makes it come out so.
std::optional<Case> with_other_values(const Spec& spec, const Case& start, const Judge& judge,
                                      uint64_t drawings, Judgement::Verdict wanted) {
  for (uint64_t k = 0; k < drawings; ++k) {
    Point other = start.point;
    other.seed += k;
    Case c = build_case(spec, other);
    if (judge(c).verdict == wanted) return c;
  }
  return std::nullopt;
}

/// The right case with values at which it fails: one drawing may hold by chance. Where the failing
/// case holds by chance, too, values that are rare may decide, which larger tensors hold more
/// often.
std::optional<Case> fails_with_other_values(const Spec& spec, const Case& right,
                                            const Case& failing, const Judge& judge) {
  using Verdict = Judgement::Verdict;
  constexpr uint64_t few = 4, many = 32;
  bool by_values = with_other_values(spec, failing, judge, few, Verdict::holds).has_value();
  return with_other_values(spec, right, judge, by_values ? many : few, Verdict::violated);
}

}  // namespace

FeatureAxis dim_axis(const Spec& spec, const std::string& letter) {
  FeatureAxis axis;
  axis.kind = "dim";
  axis.letter = letter;
  for (const InputPlace& place : input_places(spec)) {
    if (place.tree->kind != InputTree::Kind::tensor) continue;
    for (size_t d = 0; d < place.tree->shape.size(); ++d) {
      const ShapeItem& item = place.tree->shape[d];
      if (item.kind == ShapeItem::Kind::pack && letter == "*" + item.name) {
        axis.kind = "rank";
        axis.path = place.path;
        return axis;
      }
      bool here =
          item.kind == ShapeItem::Kind::size && item.size.is_letter() && item.size.text() == letter;
      bool any =
          item.kind == ShapeItem::Kind::any && letter == place.path + "." + std::to_string(d);
      if (!here && !any) continue;
      axis.path = place.path;
      axis.dim = static_cast<int>(d);
      return axis;
    }
  }
  return axis;
}

DecidingAxis decide_axis(const Spec& spec, const Case& failing, const std::optional<Case>& right,
                         const Judge& judge, const std::vector<Case>* only) {
  if (!right) return {plainest_guess(spec, failing), std::nullopt, {}};
  if (only) return decide_among(spec, failing, *right, Verdicts(spec, *only, judge));
  auto features = differing(spec, failing.point, right->point);
  if (failing.given) {
    // Its own values cannot be drawn at other sizes.
    if (features.empty()) return {value_axis(), std::nullopt, {}};
    return {features[0].axis, std::nullopt, {}};
  }
  Case start = *right;
  if (right->given) {
    // Drawn values in place of the example's own.
    Point drawn = right->point;
    drawn.seed = failing.point.seed;
    auto point = nearest_point(spec, drawn);
    if (!point) return {plainest_guess(spec, failing), std::nullopt, {}};
    start = build_case(spec, *point);
    features = differing(spec, failing.point, start.point);
  }
  if (auto fails = fails_with_other_values(spec, start, failing, judge)) {
    return {value_axis(), fails, {}};
  }
  for (const Feature& f : features) {
    auto changed = with_feature(spec, start, failing, f);
    if (changed && judge(*changed).verdict == Judgement::Verdict::violated)
      return {f.axis, changed, {}};
  }
  for (const Feature& f : features) {
    auto restored = with_feature(spec, failing, start, f);
    if (restored && judge(*restored).verdict == Judgement::Verdict::holds) {
      return {f.axis, std::nullopt, {}};
    }
  }
  if (!features.empty()) return {features[0].axis, std::nullopt, {}};
  return {plainest_guess(spec, failing), std::nullopt, {}};
}

}  // namespace assay::verify::diagnosis
