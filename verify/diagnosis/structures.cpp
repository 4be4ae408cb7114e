// The classes whose sign is steps that one export has and another lacks: AS103, AS104, AS105.

#include <algorithm>
#include <map>
#include <set>

#include "verify/diagnosis/attribution.h"
#include "verify/transplant.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// Every structural difference, and the wirings that come with them.
std::vector<size_t> all_structure(const View& view) {
  std::vector<size_t> all;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (view.alignment->differences[i].kind != Kind::literal) all.push_back(i);
  }
  return all;
}

/// Steps that carry sizes to where they are read: they come with whatever needs them.
bool is_glue(const Step& s) {
  return s.op == "aten::Int" || s.op == "aten::size" || s.op == "prim::NumToTensor" ||
         s.op == "prim::ListConstruct" || s.op == "prim::TupleConstruct" || s.op == "}";
}

/// How often each operator at each source line occurs.
std::map<std::string, int64_t> counts(const Program& program) {
  std::map<std::string, int64_t> count;
  for (const Step& s : program.steps) ++count[s.key()];
  return count;
}

/// How often a step key occurs in the subject, and in each variant.
struct Repetition {
  std::string key;
  int64_t in_subject = 0;
  std::vector<int64_t> in_variants;
  int64_t most = 0;
};

/// Of the steps that only one of subject and probe has, the key that is repeated most often in any
/// export, if its number differs between exports.
std::optional<Repetition> repetition(const View& view) {
  auto own = counts(*view.subject);
  std::vector<std::map<std::string, int64_t>> others;
  for (const Variant& v : *view.variants) others.push_back(counts(v.made->program()));
  std::optional<Repetition> best;
  auto consider = [&](const Step& s) {
    if (is_glue(s)) return;
    Repetition r;
    r.key = s.key();
    auto at = own.find(r.key);
    r.in_subject = r.most = at == own.end() ? 0 : at->second;
    bool differs = false;
    for (const auto& count : others) {
      auto found = count.find(r.key);
      r.in_variants.push_back(found == count.end() ? 0 : found->second);
      differs = differs || r.in_variants.back() != r.in_subject;
      r.most = std::max(r.most, r.in_variants.back());
    }
    if (differs && r.most >= 2 && (!best || r.most > best->most)) best = std::move(r);
  };
  for (const auto& d : view.alignment->differences) {
    if (d.kind != Kind::structure) continue;
    for (size_t i = d.begin_a; i < d.end_a; ++i) consider(view.subject->steps[i]);
    for (size_t j = d.begin_b; j < d.end_b; ++j) consider(view.probe->steps[j]);
  }
  return best;
}

/// The repetitions over sizes, for a fit.
std::vector<Sample> samples_of(const View& view, const Repetition& r) {
  std::vector<Sample> samples;
  if (!view.example_sizes.empty()) samples.push_back({view.example_sizes, r.in_subject});
  for (size_t i = 0; i < r.in_variants.size(); ++i) {
    samples.push_back({(*view.variants)[i].at.point.sizes, r.in_variants[i]});
  }
  return samples;
}

bool is_unpack(const Step& s) { return s.op == "prim::ListUnpack" || s.op == "prim::TupleUnpack"; }

/// The first unpack that gives another number of parts in another export: what a loop runs over.
std::optional<size_t> uneven_unpack(const View& view) {
  const Program& a = *view.subject;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    if (!is_unpack(a.steps[i])) continue;
    for (const Variant& v : *view.variants) {
      auto j = v.to_subject.to_b[i];
      bool uneven = j && v.made->program().steps[*j].node->outputs().size() !=
                             a.steps[i].node->outputs().size();
      if (uneven) return i;
    }
  }
  return std::nullopt;
}

/// Whether each step that only this program has stands among others of its kind: in a row of such
/// steps, its key comes twice at least. A branch that is taken at several places stands alone at
/// each.
bool in_rows(const Program& program, const std::vector<std::pair<size_t, size_t>>& own) {
  std::set<std::string> keys;
  for (auto [begin, end] : own) {
    for (size_t s = begin; s < end; ++s) keys.insert(program.steps[s].key());
  }
  size_t row = 0;
  std::vector<size_t> row_of;
  std::map<std::pair<size_t, std::string>, int64_t> in_row;
  for (const Step& step : program.steps) {
    std::string key = step.key();
    bool belongs = step.op != "}" && (is_glue(step) || keys.count(key) > 0);
    row += belongs ? 0 : 1;
    row_of.push_back(row);
    if (belongs) ++in_row[{row, std::move(key)}];
  }
  for (auto [begin, end] : own) {
    for (size_t s = begin; s < end; ++s) {
      bool alone = in_row[{row_of[s], program.steps[s].key()}] < 2;
      if (alone && !is_glue(program.steps[s])) return false;
    }
  }
  return true;
}

/// Whether what only one program has stands in rows of equal steps, as further rounds of a loop do.
bool only_rows(const View& view) {
  std::vector<std::pair<size_t, size_t>> in_a, in_b;
  for (const auto& d : view.alignment->differences) {
    if (d.kind != Kind::structure) continue;
    in_a.emplace_back(d.begin_a, d.end_a);
    in_b.emplace_back(d.begin_b, d.end_b);
  }
  return in_rows(*view.subject, in_a) && in_rows(*view.probe, in_b);
}

/// Whether all exports have it, or some have other numbers of it: what is there as often wherever
/// it is there at all is a branch, whatever it repeats.
bool varies(const Repetition& r) {
  std::set<int64_t> numbers(r.in_variants.begin(), r.in_variants.end());
  numbers.erase(0);
  return r.in_subject > 0 || numbers.size() > 1;
}

/// Repetitions as a function of sizes. Two different numbers would fit any threshold.
std::optional<SizeFit> fit_repetitions(const std::vector<Sample>& samples) {
  std::set<int64_t> numbers;
  for (const Sample& s : samples) numbers.insert(s.value);
  return numbers.size() < 3 ? std::nullopt : fit(samples);
}

/// Whether an unpack takes apart what the program cut into parts, rather than what it iterates.
bool unpacks_parts(const Program& program, size_t unpack) {
  const auto& operands = program.steps[unpack].operands;
  if (operands.empty() || operands[0].kind != Operand::Kind::result) return false;
  const std::string& op = program.steps[operands[0].step].op;
  return op == "aten::chunk" || op == "aten::split" || op == "aten::split_with_sizes" ||
         op == "aten::tensor_split" || op == "aten::meshgrid";
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

}  // namespace

std::optional<Attribution> fixed_arity(const View& view, size_t difference) {
  const GraphDifference& d = view.alignment->differences[difference];
  if (d.kind == Kind::literal) return std::nullopt;
  auto unpack = uneven_unpack(view);
  if (!unpack) return std::nullopt;
  if (repetition(view) && !unpacks_parts(*view.subject, *unpack)) return std::nullopt;
  Attribution found;
  found.class_id = "AS105";
  found.differences = all_structure(view);
  found.step = *unpack;
  found.literal = std::to_string(view.subject->steps[*unpack].node->outputs().size());
  found.role = "parts";
  for (const Variant& v : *view.variants) {
    auto j = v.to_subject.to_b[*unpack];
    if (!j) continue;
    size_t parts = v.made->program().steps[*j].node->outputs().size();
    add_export(found, feature_text(v.at, view.axis), std::to_string(parts));
  }
  return found;
}

std::optional<Attribution> unrolled_loop(const View& view, size_t difference) {
  if (view.alignment->differences[difference].kind == Kind::literal) return std::nullopt;
  auto repeated = repetition(view);
  if (!repeated || !only_rows(view)) return std::nullopt;
  auto samples = samples_of(view, *repeated);
  auto fitted = fit_repetitions(samples);
  if (!fitted && !varies(*repeated)) return std::nullopt;
  Attribution a;
  a.class_id = "AS104";
  a.differences = all_structure(view);
  point_at_key(view, repeated->key, a);
  if (auto unpack = uneven_unpack(view)) {
    a.step = *unpack;
    a.in_probe = false;
  }
  a.literal = std::to_string(repeated->in_subject);
  a.role = "repetitions";
  a.fit = fitted;
  for (size_t i = 0; i < repeated->in_variants.size(); ++i) {
    add_export(a, feature_text((*view.variants)[i].at, view.axis),
               std::to_string(repeated->in_variants[i]));
  }
  if (a.fit) {
    a.fitted = samples.size();
    a.fit_text = fit_sentence(a, *a.fit);
  }
  return a;
}

std::optional<Attribution> frozen_branch(const View& view, size_t difference) {
  const Alignment& alignment = *view.alignment;
  const GraphDifference& d = alignment.differences[difference];
  if (d.kind == Kind::literal) return std::nullopt;
  Attribution a;
  a.class_id = "AS103";
  a.differences = {difference};
  if (d.kind == Kind::wiring) {
    a.step = d.step_a;
    return a;
  }
  a.in_probe = d.begin_a == d.end_a;
  a.step = a.in_probe ? d.begin_b : d.begin_a;
  for (size_t i = 0; i < alignment.differences.size(); ++i) {
    const GraphDifference& wiring = alignment.differences[i];
    if (wiring.kind != Kind::wiring) continue;
    auto from = followed_by(*view.subject, *view.probe, alignment, wiring);
    // Where two meet, the later one's: it stands nearer to what reads it.
    bool follows = !from.empty() && *std::max_element(from.begin(), from.end()) == difference;
    if (follows) a.differences.push_back(i);
  }
  return a;
}

Alignment apart(const View& view) {
  auto own = counts(*view.subject);
  std::vector<std::map<std::string, int64_t>> others;
  for (const Variant& v : *view.variants) others.push_back(counts(v.made->program()));
  auto number = [](const std::map<std::string, int64_t>& count, const std::string& key) {
    auto found = count.find(key);
    return found == count.end() ? int64_t{0} : found->second;
  };
  /// In which variants there is more, and less, of a step than in the subject.
  auto company = [&](const Step& step) {
    std::vector<int> signs;
    std::string key = step.key();
    for (const auto& other : others) {
      int64_t more = number(other, key) - number(own, key);
      signs.push_back(more > 0 ? 1 : more < 0 ? -1 : 0);
    }
    return signs;
  };
  Alignment out = *view.alignment;
  out.differences.clear();
  for (const GraphDifference& d : view.alignment->differences) {
    bool in_a = d.begin_b == d.end_b;
    if (d.kind != Kind::structure || (!in_a && d.begin_a != d.end_a)) {
      out.differences.push_back(d);
      continue;
    }
    const Program& program = in_a ? *view.subject : *view.probe;
    size_t begin = in_a ? d.begin_a : d.begin_b, end = in_a ? d.end_a : d.end_b;
    for (size_t s = begin; s < end;) {
      size_t next = s + 1;
      while (next < end && company(program.steps[next]) == company(program.steps[s])) ++next;
      GraphDifference part = d;
      (in_a ? part.begin_a : part.begin_b) = s;
      (in_a ? part.end_a : part.end_b) = next;
      out.differences.push_back(part);
      s = next;
    }
  }
  return out;
}

}  // namespace assay::verify::diagnosis
