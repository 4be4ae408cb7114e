// The classes whose sign is steps that one export has and another lacks: AS103, AS104, AS105.

#include <algorithm>
#include <map>
#include <set>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

bool is_structure(const View& view, size_t difference) {
  return view.alignment->differences[difference].kind == Kind::structure;
}

/// Every structural difference, and the wirings that come with them.
std::vector<size_t> all_structure(const View& view) {
  std::vector<size_t> all;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (view.alignment->differences[i].kind != Kind::literal) all.push_back(i);
  }
  return all;
}

/// Points the attribution at the first step that only one of the two has.
void point_at_structure(const View& view, size_t difference, Attribution& a) {
  const GraphDifference& d = view.alignment->differences[difference];
  a.in_probe = d.begin_a == d.end_a;
  a.step = a.in_probe ? d.begin_b : d.begin_a;
}

/// How often each operator at each source line occurs.
std::map<std::string, int64_t> counts(const Program& program) {
  std::map<std::string, int64_t> count;
  for (const Step& s : program.steps) ++count[s.key()];
  return count;
}

struct Repetition {
  std::string key;
  int64_t in_subject = 0, in_probe = 0;
};

/// A step key that occurs more than once in one of the two programs, another number of times in the
/// other, and takes part in a structural difference. Prefers steps with a source line.
std::optional<Repetition> repetition(const View& view) {
  auto a = counts(*view.subject), b = counts(*view.probe);
  std::optional<Repetition> best;
  auto consider = [&](const Step& s) {
    if (s.op == "}") return;
    std::string key = s.key();
    int64_t x = a.count(key) ? a.at(key) : 0, y = b.count(key) ? b.at(key) : 0;
    if (x == y || std::max(x, y) < 2) return;
    bool better = !best || std::max(x, y) > std::max(best->in_subject, best->in_probe);
    if (better) best = Repetition{key, x, y};
  };
  for (const auto& d : view.alignment->differences) {
    if (d.kind != Kind::structure) continue;
    for (size_t i = d.begin_a; i < d.end_a; ++i) consider(view.subject->steps[i]);
    for (size_t j = d.begin_b; j < d.end_b; ++j) consider(view.probe->steps[j]);
  }
  return best;
}

/// Whether all steps that only one program has repeat steps that both have: a loop ran more or
/// fewer times. A branch brings operators of its own.
bool only_repeats(const View& view) {
  auto a = counts(*view.subject), b = counts(*view.probe);
  for (const auto& d : view.alignment->differences) {
    if (d.kind != Kind::structure) continue;
    for (size_t i = d.begin_a; i < d.end_a; ++i) {
      if (!b.count(view.subject->steps[i].key()) && a.at(view.subject->steps[i].key()) < 2) {
        return false;
      }
    }
    for (size_t j = d.begin_b; j < d.end_b; ++j) {
      if (!a.count(view.probe->steps[j].key()) && b.at(view.probe->steps[j].key()) < 2) {
        return false;
      }
    }
  }
  return true;
}

void point_at_key(const View& view, const std::string& key, Attribution& a) {
  auto find = [&](const Program& p, bool probe) {
    for (size_t i = 0; i < p.steps.size(); ++i) {
      if (p.steps[i].key() != key) continue;
      a.step = i;
      a.in_probe = probe;
      return true;
    }
    return false;
  };
  if (!find(*view.subject, false)) find(*view.probe, true);
}

bool is_unpack(const Step& s) { return s.op == "prim::ListUnpack" || s.op == "prim::TupleUnpack"; }

}  // namespace

std::optional<Attribution> fixed_arity(const View& view, size_t difference) {
  // The unpack itself is a counterpart with another number of results; seen by its node.
  if (!is_structure(view, difference) || repetition(view)) return std::nullopt;
  const Program& a = *view.subject;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    auto j = view.alignment->to_b[i];
    if (!j || !is_unpack(a.steps[i])) continue;
    size_t mine = a.steps[i].node->outputs().size();
    size_t theirs = view.probe->steps[*j].node->outputs().size();
    if (mine == theirs) continue;
    Attribution found;
    found.class_id = "AS105";
    found.differences = all_structure(view);
    found.step = i;
    found.literal = std::to_string(mine);
    found.exports = {
        {feature_text(*(*view.variants)[0].made->made_at, view.axis), std::to_string(theirs)}};
    return found;
  }
  return std::nullopt;
}

std::optional<Attribution> unrolled_loop(const View& view, size_t difference) {
  if (!is_structure(view, difference) || !only_repeats(view)) return std::nullopt;
  auto repeated = repetition(view);
  if (!repeated) return std::nullopt;
  Attribution a;
  a.class_id = "AS104";
  a.differences = all_structure(view);
  point_at_key(view, repeated->key, a);
  a.literal = std::to_string(repeated->in_subject);
  a.role = "repetitions";

  std::vector<Sample> samples;
  if (!view.example_sizes.empty()) samples.push_back({view.example_sizes, repeated->in_subject});
  for (const Variant& v : *view.variants) {
    auto found = counts(v.made->program());
    int64_t n = found.count(repeated->key) ? found.at(repeated->key) : 0;
    a.exports.emplace_back(feature_text(v.at, view.axis), std::to_string(n));
    samples.push_back({v.at.point.sizes, n});
  }
  a.fit = fit(samples);
  if (a.fit) {
    a.fit_text = a.literal + " repetitions = " + a.fit->text() + " over " +
                 std::to_string(samples.size()) + " exports";
  }
  return a;
}

std::optional<Attribution> frozen_branch(const View& view, size_t difference) {
  if (view.alignment->differences[difference].kind == Kind::literal) return std::nullopt;
  Attribution a;
  a.class_id = "AS103";
  a.differences = all_structure(view);
  size_t first = difference;
  for (size_t i : a.differences) {
    if (is_structure(view, i)) {
      first = i;
      break;
    }
  }
  if (is_structure(view, first)) {
    point_at_structure(view, first, a);
  } else {
    a.step = view.alignment->differences[first].step_a;
  }
  return a;
}

}  // namespace assay::verify::diagnosis
