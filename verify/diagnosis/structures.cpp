// The classes whose sign is steps that one export has and another lacks: AS103, AS104, AS105.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/questions.h"
#include "verify/diagnosis/steps.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/graph/transplant.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// Every structural difference, and the wirings that come with them.
std::vector<size_t> all_structure(const ExportDiff& view) {
  std::vector<size_t> all;
  for (size_t i = 0; i < view.alignment->differences.size(); ++i) {
    if (view.alignment->differences[i].kind != Kind::literal) all.push_back(i);
  }
  return all;
}

bool glue_only(const ExportDiff& view, const GraphDifference& d) {
  auto glue = [](const Program& p, size_t begin, size_t end) {
    return std::all_of(p.steps.begin() + static_cast<long>(begin),
                       p.steps.begin() + static_cast<long>(end), is_glue);
  };
  return glue(*view.subject, d.begin_a, d.end_a) && glue(*view.probe, d.begin_b, d.end_b);
}

using Keys = std::set<std::string>;

bool is_unpack(const Step& s) {
  return s.is(ir::kinds().list_unpack) || s.is(ir::kinds().tuple_unpack);
}

/// The keys of a difference's steps, glue aside. What is unpacked once for all rounds of a loop is
/// none of their steps: an unpack counts where there is nothing else.
Keys keys_of(const ExportDiff& view, const GraphDifference& d) {
  Keys keys, unpacks;
  auto add = [&](const Program& p, size_t begin, size_t end) {
    for (size_t s = begin; s < end; ++s) {
      if (!is_glue(p.steps[s])) (is_unpack(p.steps[s]) ? unpacks : keys).insert(p.steps[s].key());
    }
  };
  add(*view.subject, d.begin_a, d.end_a);
  add(*view.probe, d.begin_b, d.end_b);
  return keys.empty() ? unpacks : keys;
}

/// Steps that have operators and lines in common: what alignment left of the rounds of one loop.
struct Rounds {
  std::set<size_t> owners;
  Keys keys;
};

Rounds rounds_with(const ExportDiff& view, std::set<size_t> leads) {
  const auto& all = view.alignment->differences;
  Rounds rounds;
  for (size_t lead : leads) rounds.keys.merge(keys_of(view, all[lead]));
  rounds.owners = std::move(leads);
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].kind != Kind::structure || rounds.owners.count(i)) continue;
      Keys keys = keys_of(view, all[i]);
      bool shares = std::any_of(keys.begin(), keys.end(),
                                [&](const std::string& k) { return rounds.keys.count(k) > 0; });
      if (!shares) continue;
      rounds.owners.insert(i);
      rounds.keys.insert(keys.begin(), keys.end());
      grows = true;
    }
  }
  return rounds;
}

/// The structural differences that follow upon each other without a step in between, around one of
/// them: a round of an outer loop, cut where rounds of an inner one begin and end.
std::set<size_t> touching(const ExportDiff& view, size_t one) {
  const auto& all = view.alignment->differences;
  auto touch = [&](const GraphDifference& d, const GraphDifference& next) {
    return d.kind == Kind::structure && next.kind == Kind::structure && d.end_a == next.begin_a &&
           d.end_b == next.begin_b;
  };
  size_t first = one, last = one;
  while (first > 0 && touch(all[first - 1], all[first])) --first;
  while (last + 1 < all.size() && touch(all[last], all[last + 1])) ++last;
  std::set<size_t> out;
  for (size_t i = first; i <= last; ++i) out.insert(i);
  return out;
}

/// How often a step key occurs in the subject, and in each variant.
struct Repetition {
  std::string key;
  int64_t in_subject = 0;
  std::vector<int64_t> in_variants;
  int64_t most = 0;
};

/// Whether a step of the one key comes before any of the other, in the export that has them.
bool comes_first(const ExportDiff& view, const std::string& key, const std::string& other) {
  for (const Program* program : {view.subject, view.probe}) {
    for (const Step& s : program->steps) {
      std::string at = s.key();
      if (at == key || at == other) return at == key;
    }
  }
  return false;
}

/// Of keys that are repeated in any export, and not equally often in all, the least often repeated
/// one, the first of these: what comes once in a round. Nothing if none is.
std::optional<Repetition> repetition(const ExportDiff& view, const Keys& keys) {
  std::optional<Repetition> best;
  for (const std::string& key : keys) {
    int64_t own = count_of(view.counts, key);
    Repetition r{key, own, {}, own};
    bool differs = false;
    for (const KeyCounts& counts : view.variant_counts) {
      r.in_variants.push_back(count_of(counts, key));
      differs = differs || r.in_variants.back() != r.in_subject;
      r.most = std::max(r.most, r.in_variants.back());
    }
    bool fewer = !best || r.most < best->most;
    bool before = best && r.most == best->most && comes_first(view, r.key, best->key);
    if (differs && r.most >= 2 && (fewer || before)) best = std::move(r);
  }
  return best;
}

/// The repetitions over sizes, for a fit.
std::vector<Sample> samples_of(const ExportDiff& view, const Repetition& r) {
  std::vector<Sample> samples;
  if (!view.example_sizes.empty()) samples.push_back({view.example_sizes, r.in_subject});
  for (size_t i = 0; i < r.in_variants.size(); ++i) {
    samples.push_back({(*view.variants)[i].at.point.sizes, r.in_variants[i]});
  }
  return samples;
}

/// The first unpack that gives another number of parts in another export: what a loop runs over.
std::optional<size_t> uneven_unpack(const ExportDiff& view) {
  const Program& a = *view.subject;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    if (!is_unpack(a.steps[i])) continue;
    for (const Variant& v : *view.variants) {
      auto j = v.to_subject.to_b[i];
      bool uneven = j && v.exported->program().steps[*j].node->outputs().size() !=
                             a.steps[i].node->outputs().size();
      if (uneven) return i;
    }
  }
  return std::nullopt;
}

/// Whether steps of these keys stand in rows: uninterrupted by others (but glue and unpacks), each
/// key twice at least, as rounds of a loop do. A branch that is taken at several places stands
/// alone at each.
bool in_rows(const Program& program, const Keys& keys) {
  Keys repeated;
  std::map<std::string, int64_t> row;
  for (const Step& step : program.steps) {
    std::string key = step.key();
    if (keys.count(key) > 0) {
      if (++row[key] == 2) repeated.insert(key);
    } else if ((!is_glue(step) && !is_unpack(step)) || step.op == "}") {
      row.clear();
    }
  }
  return repeated.size() == keys.size();
}

bool in_rows_anywhere(const ExportDiff& view, const Keys& keys) {
  if (in_rows(*view.subject, keys) || in_rows(*view.probe, keys)) return true;
  return std::any_of(view.variants->begin(), view.variants->end(),
                     [&](const Variant& v) { return in_rows(v.exported->program(), keys); });
}

/// Whether exports that have it have other numbers of it: what is there as often wherever it is
/// there at all is a branch, whatever it repeats. The subject alone can only be taken at its word.
bool varies(const Repetition& r) {
  std::vector<int64_t> there = r.in_variants;
  there.push_back(r.in_subject);
  std::erase(there, 0);
  std::set<int64_t> numbers(there.begin(), there.end());
  return numbers.size() > 1 || (r.in_subject > 0 && there.size() == 1);
}

/// The keys that exports which have them have in different numbers.
Keys counted_otherwise(const ExportDiff& view, const Keys& keys) {
  Keys out;
  for (const std::string& key : keys) {
    auto repeated = repetition(view, {key});
    if (repeated && varies(*repeated)) out.insert(key);
  }
  return out;
}

/// Whether the one key comes more often by so many times as the other does, in every export.
bool is_counted_with(const ExportDiff& view, const std::string& key, const Repetition& base) {
  int64_t own = count_of(view.counts, key), of = 0, by = 0;
  for (size_t i = 0; i < base.in_variants.size(); ++i) {
    int64_t more = count_of(view.variant_counts[i], key) - own;
    int64_t rounds = base.in_variants[i] - base.in_subject;
    if (rounds == 0 && more != 0) return false;
    if (by == 0) of = more, by = rounds;
    if (more * by != of * rounds) return false;
  }
  return of != 0;
}

/// The rounds of which alignment found parts alike by chance: all steps that are counted as these
/// are. Two numbers would be counted alike with any branch.
Rounds counted_alike(const ExportDiff& view, Rounds rounds) {
  auto base = repetition(view, rounds.keys);
  if (!base) return rounds;
  std::set<int64_t> numbers(base->in_variants.begin(), base->in_variants.end());
  numbers.insert(base->in_subject);
  if (numbers.size() < 3) return rounds;
  Keys alike;
  for (const Program* program : {view.subject, view.probe}) {
    for (const Step& step : program->steps) {
      bool does = !is_glue(step) && !is_unpack(step);
      if (does && is_counted_with(view, step.key(), *base)) alike.insert(step.key());
    }
  }
  const auto& all = view.alignment->differences;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != Kind::structure) continue;
    Keys keys = keys_of(view, all[i]);
    bool shares = std::ranges::any_of(keys, [&](const auto& key) { return alike.count(key) > 0; });
    if (shares) rounds.owners.insert(i);
  }
  rounds.keys = std::move(alike);
  return rounds;
}

/// Repetitions as a function of sizes. Two different numbers would fit any threshold.
std::optional<SizeFit> fit_repetitions(const std::vector<Sample>& samples) {
  std::set<int64_t> numbers;
  for (const Sample& s : samples) numbers.insert(s.value);
  return numbers.size() < 3 ? std::nullopt : fit(samples);
}

/// Rounds of a loop, how often they are done, and that as a function of sizes.
struct Loop {
  Rounds rounds;
  Repetition repeated;
  std::optional<SizeFit> fitted;
};

/// What stands in rows, in other numbers in other exports. What one export has where others have
/// other steps, and none of it, is a branch.
std::optional<Loop> as_loop(const ExportDiff& view, const Rounds& rounds, size_t lead) {
  auto repeated = repetition(view, rounds.keys);
  if (!repeated || !in_rows_anywhere(view, rounds.keys)) return std::nullopt;
  // How often depends on sizes only where these were varied.
  auto fitted = view.axis.is_size() ? fit_repetitions(samples_of(view, *repeated)) : std::nullopt;
  if (!fitted && !varies(*repeated)) return std::nullopt;
  const GraphDifference& d = view.alignment->differences[lead];
  auto does = [](const Program& p, size_t begin, size_t end) {
    return begin < end && !is_glue(p.steps[first_that_does(p, begin, end)]);
  };
  bool replaced = does(*view.subject, d.begin_a, d.end_a) && does(*view.probe, d.begin_b, d.end_b);
  bool elsewhere = std::ranges::any_of(repeated->in_variants, [](int64_t n) { return n > 0; });
  if (replaced && !elsewhere) return std::nullopt;
  return Loop{rounds, std::move(*repeated), std::move(fitted)};
}

/// The rounds that a structural difference belongs to, if any.
std::optional<Loop> rounds_around(const ExportDiff& view, size_t lead) {
  if (auto alone = as_loop(view, rounds_with(view, {lead}), lead)) return alone;
  Rounds rounds = rounds_with(view, touching(view, lead));
  if (auto together = as_loop(view, rounds, lead)) return together;
  // Beside the rounds stand steps that are there because there are rounds at all: `stack(out) if
  // out`.
  Rounds counted{rounds.owners, counted_otherwise(view, rounds.keys)};
  if (auto without = as_loop(view, counted, lead)) return without;
  return as_loop(view, counted_alike(view, std::move(counted)), lead);
}

/// The escapes at one line of the reader's file. A list of numbers counts by its length: a loop
/// over it has as many rounds.
std::vector<Escape> escapes_at(const std::vector<Escape>& all, int line) {
  std::vector<Escape> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const Escape& e) { return e.place.line == line; });
  for (Escape& e : out) {
    if (!e.value && !e.numbers.empty())
      e.value = core::Scalar(static_cast<int64_t>(e.numbers.size()));
  }
  return out;
}

/// The number of rounds as what left the graph, where it is asked for how often: the loop's header.
/// Loops over the same size ask for it one after the other, so that the nearest line above counts.
std::optional<EscapeFit> escape_of(const ExportDiff& view, const Repetition& r,
                                   const Attribution& a) {
  std::vector<EscapeSample> samples;
  if (view.subject_escapes) samples.push_back({view.subject_escapes, r.in_subject});
  for (size_t i = 0; i < r.in_variants.size(); ++i) {
    samples.push_back({&(*view.variants)[i].exported->escapes, r.in_variants[i]});
  }
  SourceLocation reader = place_of(located(a.in_probe ? *view.probe : *view.subject, a.step));
  auto fitted = [&](const std::vector<EscapeSample>& from) {
    auto found = fit_to_escapes(from, reader);
    // Rounds that are counted otherwise than one for one are a `while`'s: its number is not its
    // header.
    if (found && found->freedom > 1) found.reset();
    return found;
  };
  std::set<int, std::greater<>> lines;
  for (const Escape& e : *samples[0].escapes) {
    if (e.place.line <= reader.line) lines.insert(e.place.line);
  }
  for (int line : lines) {
    std::vector<std::vector<Escape>> there;
    for (const EscapeSample& s : samples) there.push_back(escapes_at(*s.escapes, line));
    std::vector<EscapeSample> nearest = samples;
    for (size_t i = 0; i < samples.size(); ++i) nearest[i].escapes = &there[i];
    auto found = fitted(nearest);
    // Above in another function is not nearer.
    bool here = found && (reader.function.empty() || found->place.function == reader.function);
    if (here) return found;
  }
  return fitted(samples);
}

/// Whether an unpack takes apart an input as it came, which happens at no line of the model's.
bool unpacks_input(const Program& program, size_t unpack) {
  const auto& operands = program.steps[unpack].operands;
  if (operands.empty() || operands[0].kind != Operand::Kind::result) return !operands.empty();
  const Step& from = program.steps[operands[0].step];
  return takes_entry(from) || (is_unpack(from) && unpacks_input(program, operands[0].step));
}

/// Whether an unpack takes apart a tensor that is iterated: at the loop's own line.
bool unpacks_rows(const Program& program, size_t unpack) {
  const auto& operands = program.steps[unpack].operands;
  return !operands.empty() && operands[0].kind == Operand::Kind::result &&
         program.steps[operands[0].step].op == "aten::unbind";
}

/// Whether an unpack takes apart what the program cut into parts, rather than what it iterates.
bool unpacks_parts(const Program& program, size_t unpack) {
  const auto& operands = program.steps[unpack].operands;
  if (operands.empty() || operands[0].kind != Operand::Kind::result) return false;
  const Step& cut = program.steps[operands[0].step];
  const ops::Operator* op = cut.node ? cut.node->op() : nullptr;
  bool gives_list = op && op->schema.returns.size() == 1 &&
                    op->schema.returns[0].type->is(core::TypeKind::list) &&
                    op->schema.returns[0].type->element()->is(core::TypeKind::tensor);
  return gives_list && !unpacks_rows(program, unpack);
}

void point_at_key(const ExportDiff& view, const std::string& key, Attribution& a) {
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

/// Whether conditions decided how many of the steps are there: those of a branch that does them
/// more often, or rounds that were left out (`if not rows.numel(): continue`).
bool decided(const ExportDiff& view, const Repetition& r) {
  std::vector<Counted> exports{{questions(view.origins, view.subject_escapes), r.in_subject}};
  for (size_t i = 0; i < r.in_variants.size(); ++i) {
    const Export& other = *(*view.variants)[i].exported;
    exports.push_back({questions(other.origins(), &other.escapes), r.in_variants[i]});
  }
  return answers_tell(exports);
}

/// Whether a count of the subject's trace is in every other export how often the steps are there: a
/// start or an end of a range may be the same number by chance.
bool counts_everywhere(const ExportDiff& view, const Origins::Origin& count, const Repetition& r) {
  for (size_t i = 0; i < r.in_variants.size(); ++i) {
    const Origins* origins = (*view.variants)[i].exported->origins();
    if (!origins) continue;
    auto is_count = [&](const Origins::Origin& o) {
      return o.how == count.how && o.expression == count.expression &&
             o.place.line == count.place.line;
    };
    auto there = std::ranges::find_if(origins->origins, is_count);
    bool other = there != origins->origins.end() &&
                 literal_text(there->value) != std::to_string(r.in_variants[i]);
    if (other) return false;
  }
  return true;
}

/// What the subject's trace says that the rounds were counted by.
void tell_count(const ExportDiff& view, const Repetition& r, Attribution& a) {
  SourceLocation reader = place_of(located(a.in_probe ? *view.probe : *view.subject, a.step));
  const auto* count = turned_otherwise(view.origins, view.probe_origins, reader);
  if (!count) return;
  a.place = count->place;
  if (literal_text(count->value) != a.literal || !counts_everywhere(view, *count, r)) return;
  a.fit_text = fmt::format("{} repetitions = {}, by {} at line {}", a.literal, count->expression,
                           count->how, count->place.line);
}

/// The list of constant numbers by which what an unpack takes apart was cut: there are always as
/// many parts, and the numbers are what is wrong. Nothing where other things say how it is cut.
std::optional<size_t> constant_cuts(const Program& program, size_t unpack) {
  if (!unpacks_parts(program, unpack)) return std::nullopt;
  auto is_constant = [](const Operand& number) {
    return number.kind == Operand::Kind::literal && number.literal.is_int();
  };
  const Step& cut = program.steps[program.steps[unpack].operands[0].step];
  auto list = std::ranges::find_if(cut.operands, [&](const Operand& o) {
    return o.kind == Operand::Kind::result && program.steps[o.step].op == "prim::ListConstruct" &&
           std::ranges::all_of(program.steps[o.step].operands, is_constant);
  });
  return list == cut.operands.end() ? std::nullopt : std::optional(list->step);
}

/// Where the first number of a list left the graph, as the subject's trace tells.
std::optional<SourceLocation> left_at(const ExportDiff& view, size_t list) {
  for (size_t k = 0; k < view.subject->steps[list].operands.size(); ++k) {
    if (auto origin = traced_origin(view.origins, *view.subject, list, k)) return origin->place;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Attribution> fixed_arity(const ExportDiff& view, size_t difference) {
  const GraphDifference& d = view.alignment->differences[difference];
  if (d.kind == Kind::literal) return std::nullopt;
  auto unpack = uneven_unpack(view);
  if (!unpack) return std::nullopt;
  Keys keys;
  for (const auto& other : view.alignment->differences) keys.merge(keys_of(view, other));
  if (repetition(view, keys) && !unpacks_parts(*view.subject, *unpack)) return std::nullopt;
  Attribution found;
  found.class_id = "AS105";
  found.differences = all_structure(view);
  found.step = *unpack;
  found.literal = std::to_string(view.subject->steps[*unpack].node->outputs().size());
  found.role = "parts";
  if (auto cuts = constant_cuts(*view.subject, *unpack)) {
    found.class_id = "AS102";
    found.kind = &captured_value;
    found.place = left_at(view, *cuts);
    found.step = view.subject->steps[*unpack].operands[0].step;
  }
  bool has_line = located(*view.subject, *unpack).line != 0;
  for (const Variant& v : *view.variants) {
    auto j = v.to_subject.to_b[*unpack];
    if (!j) continue;
    const Program& other = v.exported->program();
    // An argument is taken apart at no line: the one that reads its parts in some export.
    const Step& reader = located(other, *j);
    if (!has_line && !found.place && reader.line != 0) found.place = place_of(reader);
    size_t parts = other.steps[*j].node->outputs().size();
    add_export(found, feature_text(v.at, view.axis), std::to_string(parts));
  }
  return found;
}

std::optional<Attribution> unrolled_loop(const ExportDiff& view, size_t difference) {
  if (view.alignment->differences[difference].kind == Kind::literal) return std::nullopt;
  // Nothing is done as often as an element type, an option or the like says: equal steps are a
  // branch's. In a later call of equal inputs they are what an earlier one spared it, or left to
  // do.
  static const std::set<std::string> uncounted{"dtype",  "device", "option",   "grad", "mode",
                                               "layout", "alias",  "autocast", "call"};
  if (uncounted.count(view.axis.kind)) return std::nullopt;
  size_t lead = view.owners[difference];
  if (view.alignment->differences[lead].kind != Kind::structure) return std::nullopt;
  auto found = rounds_around(view, lead);
  if (!found) return std::nullopt;
  const auto& [rounds, repeated, fitted] = *found;
  if (decided(view, repeated)) return std::nullopt;
  Attribution a;
  a.class_id = "AS104";
  a.differences = all_of(view, rounds.owners);
  point_at_key(view, repeated.key, a);
  bool iterates = false;
  if (auto unpack = uneven_unpack(view); unpack && !unpacks_input(*view.subject, *unpack)) {
    a.step = *unpack;
    a.in_probe = false;
    iterates = unpacks_rows(*view.subject, *unpack);
  }
  a.literal = std::to_string(repeated.in_subject);
  a.role = "repetitions";
  a.escape = escape_of(view, repeated, a);
  // A size that is read elsewhere is not what such a loop runs over, though it is the same number.
  bool elsewhere = a.escape && a.escape->place.line != located(*view.subject, a.step).line;
  if (iterates && elsewhere) a.escape.reset();
  for (size_t i = 0; i < repeated.in_variants.size(); ++i) {
    add_export(a, feature_text((*view.variants)[i].at, view.axis),
               std::to_string(repeated.in_variants[i]));
  }
  std::vector<Sample> samples = samples_of(view, repeated);
  if (fitted && is_settled(*fitted, samples)) {
    a.fit = fitted;
    a.fitted = samples.size();
    a.fit_text = fit_sentence(a, *fitted);
  }
  tell_count(view, repeated, a);
  return a;
}

std::optional<Attribution> frozen_branch(const ExportDiff& view, size_t difference) {
  if (view.alignment->differences[difference].kind == Kind::literal) return std::nullopt;
  size_t lead = view.owners[difference];
  const GraphDifference& d = view.alignment->differences[lead];
  Attribution a;
  // What a later call of the same inputs does otherwise, what an earlier one left decides.
  a.class_id = view.axis.kind == "call" && !view.keeps_state ? "AS109" : "AS103";
  a.differences = all_of(view, {lead});
  if (d.kind == Kind::wiring) {
    a.step = d.step_a;
    return a;
  }
  a.in_probe = d.begin_a == d.end_a;
  a.step = a.in_probe ? first_that_does(*view.probe, d.begin_b, d.end_b)
                      : first_that_does(*view.subject, d.begin_a, d.end_a);
  SourceLocation reader = place_of(located(a.in_probe ? *view.probe : *view.subject, a.step));
  const auto* guard = decided_otherwise(view.origins, view.probe_origins, reader);
  if (guard && a.class_id == "AS103") {
    a.fit_text = guard_sentence(*guard);
    a.place = guard->place;
  } else if (a.class_id == "AS103") {
    a.fit_text = look_sentence(view.origins, view.probe_origins, reader);
  }
  return a;
}

namespace {

/// Whether counterparts read different parts of what both unpack: a loop that goes through its rows
/// from the last one on, where the exports have different numbers of rows.
bool reads_another_part(const ExportDiff& view, const GraphDifference& d) {
  const auto& ours = view.subject->steps[d.step_a].operands;
  const auto& theirs = view.probe->steps[d.step_b].operands;
  if (d.kind != Kind::wiring || d.operand >= std::min(ours.size(), theirs.size())) return false;
  const Operand &a = ours[d.operand], &b = theirs[d.operand];
  using From = Operand::Kind;
  bool results = a.kind == From::result && b.kind == From::result && a.output != b.output;
  return results && is_unpack(view.subject->steps[a.step]) &&
         view.alignment->to_b[a.step] == std::optional(b.step);
}

/// The rounds that one export has more of the step of a difference, which are one of their own; the
/// difference itself where there are none.
size_t rounds_of_the_step(const ExportDiff& view, size_t difference) {
  const auto& all = view.alignment->differences;
  std::string key = view.subject->steps[all[difference].step_a].key();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Kind::structure && keys_of(view, all[i]).count(key) > 0) return i;
  }
  return difference;
}

}  // namespace

std::vector<size_t> owners_of(const ExportDiff& view) {
  const auto& all = view.alignment->differences;
  auto from = dependencies_of(*view.subject, *view.probe, *view.alignment);
  std::vector<size_t> owners(all.size());
  // Backwards: the lead of glue is that of the steps behind it.
  size_t next = all.size();
  for (size_t i = all.size(); i-- > 0;) {
    owners[i] = i;
    if (all[i].kind != Kind::structure) continue;
    if (!glue_only(view, all[i])) next = i;
    if (next < all.size()) owners[i] = next;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!from[i].empty()) {
      owners[i] = owners[*std::max_element(from[i].begin(), from[i].end())];
    } else if (reads_another_part(view, all[i])) {
      owners[i] = owners[rounds_of_the_step(view, i)];
    }
  }
  return owners;
}

}  // namespace assay::verify::diagnosis
