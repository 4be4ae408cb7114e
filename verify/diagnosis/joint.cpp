#include "verify/diagnosis/joint.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "engine/base/text.h"

namespace assay::verify::diagnosis {
namespace {

using Form = JointRule::Form;
using Relation = JointRule::Relation;

constexpr size_t least_judgements = 3;  // That fail, and that hold.
constexpr int64_t largest_divisor = 16;
/// Further sizes that are judged: so many at which the leading rule says that they fail, and as
/// many at which it says that they hold; the others where rules part or have not been seen. And how
/// many are drawn to choose from.
constexpr int further_judgements = 40, of_each_kind = 8, drawn = 1000;

/// The values of one form over all judgements.
struct Values {
  std::vector<int64_t> fails, holds;
};

/// The relation that parts the values, if one does.
std::optional<JointRule> parted(const Values& v, JointRule rule) {
  auto [least_fail, most_fail] = std::minmax_element(v.fails.begin(), v.fails.end());
  auto [least_hold, most_hold] = std::minmax_element(v.holds.begin(), v.holds.end());
  auto as = [&](Relation relation, int64_t fails_at, int64_t holds_at) {
    rule.relation = relation;
    rule.fails_at = fails_at;
    rule.holds_at = holds_at;
    return rule;
  };
  auto none_is = [](const std::vector<int64_t>& all, int64_t value) {
    return std::find(all.begin(), all.end(), value) == all.end();
  };
  auto divides = [](const std::vector<int64_t>& all, int64_t by) {
    return std::count_if(all.begin(), all.end(), [&](int64_t x) { return x % by == 0; });
  };
  if (*most_hold < *least_fail) return as(Relation::above, *least_fail, *most_hold);
  if (*most_fail < *least_hold) return as(Relation::below, *most_fail, *least_hold);
  if (*least_hold == *most_hold && none_is(v.fails, *least_hold)) {
    return as(Relation::unequal, *least_hold, *least_hold);
  }
  if (*least_fail == *most_fail && none_is(v.holds, *least_fail)) {
    return as(Relation::equal, *least_fail, *least_fail);
  }
  if (rule.form == Form::difference) return std::nullopt;
  for (int64_t by = 2; by <= largest_divisor; ++by) {
    int64_t fails = divides(v.fails, by), holds = divides(v.holds, by);
    if (fails == 0 && holds == static_cast<int64_t>(v.holds.size())) {
      return as(Relation::indivisible, by, by);
    }
    if (holds == 0 && fails == static_cast<int64_t>(v.fails.size())) {
      return as(Relation::divisible, by, by);
    }
  }
  return std::nullopt;
}

/// Every form over one, two or three letters, the simplest first.
std::vector<JointRule> forms(const std::vector<std::string>& letters) {
  std::vector<JointRule> out;
  auto add = [&](Form form, std::vector<std::string> of) {
    JointRule& rule = out.emplace_back();
    rule.form = form;
    rule.letters = std::move(of);
  };
  for (const std::string& a : letters) add(Form::sum, {a});
  for (Form form : {Form::product, Form::difference, Form::sum, Form::largest, Form::smallest}) {
    for (size_t i = 0; i < letters.size(); ++i) {
      for (size_t k = i + 1; k < letters.size(); ++k) add(form, {letters[i], letters[k]});
    }
  }
  for (Form form : {Form::product, Form::sum}) {
    for (size_t i = 0; i < letters.size(); ++i) {
      for (size_t k = i + 1; k < letters.size(); ++k) {
        for (size_t m = k + 1; m < letters.size(); ++m) {
          add(form, {letters[i], letters[k], letters[m]});
        }
      }
    }
  }
  return out;
}

bool knows_all(const Bindings& sizes, const std::vector<std::string>& letters) {
  return std::all_of(letters.begin(), letters.end(),
                     [&](const std::string& letter) { return sizes.count(letter) > 0; });
}

std::vector<int64_t> sizes_of(const std::vector<std::string>& letters, const Bindings& sizes) {
  std::vector<int64_t> out;
  for (const std::string& letter : letters) out.push_back(sizes.at(letter));
  return out;
}

/// Whether there are enough of them, and each letter has more than one size among them.
bool tells_much(const std::set<std::vector<int64_t>>& sizes) {
  if (sizes.size() < least_judgements) return false;
  const std::vector<int64_t>& first = *sizes.begin();
  for (size_t i = 0; i < first.size(); ++i) {
    bool same = std::all_of(sizes.begin(), sizes.end(),
                            [&](const std::vector<int64_t>& s) { return s[i] == first[i]; });
    if (same) return false;
  }
  return true;
}

/// Draws sizes evenly, and leaves the choices as they are.
class RandomSizes : public Chooser {
 public:
  RandomSizes(const Point& base, std::mt19937_64& random) : base_(base), random_(random) {}
  int64_t size(const std::string&, const SizeDomain& domain) override {
    std::uniform_int_distribution<int64_t> any(0, domain.count() - 1);
    return domain.at(any(random_));
  }
  std::string choice(const ChoiceAxis& axis) override {
    auto at = base_.choices.find(axis.key);
    return at == base_.choices.end() ? axis.choices[0] : at->second;
  }

 private:
  const Point& base_;
  std::mt19937_64& random_;
};

/// Whether judging these sizes would tell something: rules part there, or the leading one has not
/// seen such a value.
bool telling(const std::vector<JointRule>& rules, const Bindings& sizes) {
  std::optional<bool> first = rules[0].fails(sizes);
  if (!first) return true;
  return std::any_of(rules.begin(), rules.end(),
                     [&](const JointRule& rule) { return rule.fails(sizes) != first; });
}

/// Points of the domain whose sizes were not judged yet, one after the other.
class FreshPoints {
 public:
  FreshPoints(const Spec& spec, const Case& base, const std::vector<JudgedSizes>& judged)
      : spec_(spec), base_(base), random_(base.point.seed) {
    for (const JudgedSizes& j : judged) seen_.insert(j.sizes);
    choices_.seed = base.point.seed;
    for (const ChoiceAxis& axis : choice_axes(spec)) {
      choices_.choices[axis.key] = chooser_.choice(axis);
    }
  }

  /// Nothing once enough were drawn.
  std::optional<Point> next() {
    while (tries_++ < drawn) {
      std::optional<Point> point = choose_sizes(spec_, chooser_, choices_);
      if (point && seen_.insert(point->sizes).second) return point;
    }
    return std::nullopt;
  }

 private:
  const Spec& spec_;
  const Case& base_;
  std::mt19937_64 random_;
  RandomSizes chooser_{base_.point, random_};
  Point choices_;
  std::set<Bindings> seen_;
  int tries_ = 0;
};

std::vector<std::string> varied_letters(const Spec& spec, const std::vector<JudgedSizes>& judged) {
  std::vector<std::string> out;
  for (const Dim& dim : spec.dims) {
    bool known = std::all_of(judged.begin(), judged.end(),
                             [&](const JudgedSizes& j) { return j.sizes.count(dim.letter) > 0; });
    if (known) out.push_back(dim.letter);
  }
  return out;
}

}  // namespace

int64_t JointRule::value(const Bindings& sizes) const {
  int64_t out = sizes.at(letters[0]);
  for (size_t i = 1; i < letters.size(); ++i) {
    int64_t size = sizes.at(letters[i]);
    switch (form) {
      case Form::product:
        if (__builtin_mul_overflow(out, size, &out)) return std::numeric_limits<int64_t>::max();
        break;
      case Form::sum:
        out += size;
        break;
      case Form::difference:
        out -= size;
        break;
      case Form::largest:
        out = std::max(out, size);
        break;
      case Form::smallest:
        out = std::min(out, size);
        break;
    }
  }
  return out;
}

std::optional<bool> JointRule::fails(const Bindings& sizes) const {
  int64_t v = value(sizes);
  switch (relation) {
    case Relation::above:
      return v >= fails_at   ? std::optional(true)
             : v <= holds_at ? std::optional(false)
                             : std::nullopt;
    case Relation::below:
      return v <= fails_at   ? std::optional(true)
             : v >= holds_at ? std::optional(false)
                             : std::nullopt;
    case Relation::equal:
      return v == fails_at;
    case Relation::unequal:
      return v != fails_at;
    case Relation::divisible:
      return v % fails_at == 0;
    case Relation::indivisible:
      break;
  }
  return v % fails_at != 0;
}

std::string JointRule::text() const {
  auto [left, zero] = sides();
  auto against = [&left = left, &zero = zero, this](const char* sign, int64_t number) {
    bool both = !zero.empty() && number == 0;
    return both ? fmt::format("{} {} {}", letters[0], sign, zero)
                : fmt::format("{} {} {}", left, sign, number);
  };
  switch (relation) {
    case Relation::above:
      if (fails_at == holds_at + 1) return against(">", holds_at);
      return fmt::format("{}, not where it is {} or less", against(">=", fails_at), holds_at);
    case Relation::below:
      if (fails_at == holds_at - 1) return against("<", holds_at);
      return fmt::format("{}, not where it is {} or more", against("<=", fails_at), holds_at);
    case Relation::equal:
      return against("=", fails_at);
    case Relation::unequal:
      return against("is not", fails_at);
    case Relation::divisible:
      return fmt::format("{} is a multiple of {}", left, fails_at);
    case Relation::indivisible:
      break;
  }
  return fmt::format("{} is no multiple of {}", left, fails_at);
}

std::pair<std::string, std::string> JointRule::sides() const {
  switch (form) {
    case Form::product:
      return {base::join(letters, "*"), ""};
    case Form::sum:
      return {base::join(letters, " + "), ""};
    case Form::difference:
      return {base::join(letters, " - "), letters[1]};
    case Form::largest:
      return {fmt::format("max({})", base::join(letters, ", ")), ""};
    case Form::smallest:
      break;
  }
  return {fmt::format("min({})", base::join(letters, ", ")), ""};
}

std::vector<JointRule> joint_rules(const std::vector<JudgedSizes>& judged,
                                   const std::vector<std::string>& letters) {
  std::vector<JointRule> out;
  for (JointRule& form : forms(letters)) {
    Values values;
    std::set<std::vector<int64_t>> fail_at, hold_at;
    for (const JudgedSizes& j : judged) {
      if (!knows_all(j.sizes, form.letters)) continue;
      (j.fails ? values.fails : values.holds).push_back(form.value(j.sizes));
      (j.fails ? fail_at : hold_at).insert(sizes_of(form.letters, j.sizes));
    }
    if (!tells_much(fail_at) || !tells_much(hold_at)) continue;
    if (auto rule = parted(values, std::move(form))) out.push_back(std::move(*rule));
  }
  return out;
}

std::optional<JointRule> measure_joint(const Spec& spec, const Case& base,
                                       std::vector<JudgedSizes> judged, const Judge& judge) {
  std::vector<std::string> letters = varied_letters(spec, judged);
  std::vector<JointRule> rules = joint_rules(judged, letters);
  if (!judge) return rules.size() == 1 ? std::optional(rules[0]) : std::nullopt;
  FreshPoints fresh(spec, base, judged);
  int left = further_judgements, tried_fails = 0, tried_holds = 0;
  while (!rules.empty() && left > 0) {
    std::optional<Point> point = fresh.next();
    if (!point) break;
    std::optional<bool> said = rules[0].fails(point->sizes);
    bool open = said && (*said ? tried_fails : tried_holds)++ < of_each_kind;
    if (!open && !telling(rules, point->sizes)) continue;
    --left;
    Judgement there = judge(build_case(spec, *point));
    bool fails = there.verdict == Judgement::Verdict::violated;
    if (!fails && there.verdict != Judgement::Verdict::holds) continue;
    judged.push_back({point->sizes, fails});
    rules = joint_rules(judged, letters);
  }
  return rules.empty() ? std::nullopt : std::optional(rules[0]);
}

bool contradicts(const Boundary& boundary, const JudgedSizes& judged) {
  auto at = judged.sizes.find(boundary.axis.letter);
  if (at == judged.sizes.end()) return false;
  using Verdict = Boundary::Region::Verdict;
  for (const Boundary::Region& region : boundary.regions) {
    bool inside = std::any_of(region.sizes.begin(), region.sizes.end(), [&](const auto& range) {
      return range.first <= at->second && at->second <= range.second;
    });
    if (!inside) continue;
    bool said_to_hold = region.verdict == Verdict::right || region.verdict == Verdict::rejected;
    return region.verdict != Verdict::untested && said_to_hold == judged.fails;
  }
  return false;
}

}  // namespace assay::verify::diagnosis
