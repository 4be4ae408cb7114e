#include "fuzz/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/cases/reproduce.h"
#include "verify/diagnosis/axis.h"
#include "verify/graph/align.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: a summary is about everything that verify names.

namespace {

std::string values_text(const std::map<std::string, int64_t>& choices) {
  std::vector<std::pair<int64_t, std::string>> sizes;
  std::vector<std::string> out;
  bool numbers = true;
  for (const auto& [choice, count] : choices) {
    int64_t size = 0;
    numbers = numbers && base::parse_int(choice, size);
    sizes.emplace_back(size, choice);
  }
  if (numbers) std::sort(sizes.begin(), sizes.end());
  constexpr size_t most = 12;
  for (const auto& [size, choice] : sizes) out.push_back(choice);
  if (out.size() > most) {
    std::string last = out.back();
    out.resize(most - 1);
    out.push_back("...");
    out.push_back(last);
  }
  return base::join(out, ", ");
}

int64_t sum(const std::map<std::string, int64_t>& choices) {
  int64_t total = 0;
  for (const auto& [choice, count] : choices) total += count;
  return total;
}

bool is_right(const Boundary& boundary) {
  using Verdict = Boundary::Region::Verdict;
  return std::all_of(boundary.regions.begin(), boundary.regions.end(), [](const auto& region) {
    return region.verdict == Verdict::right || region.verdict == Verdict::rejected ||
           region.verdict == Verdict::untested;
  });
}

/// Whether nothing at all was told of it.
bool is_open(const Boundary& boundary) {
  return std::all_of(boundary.regions.begin(), boundary.regions.end(), [](const auto& region) {
    return region.verdict == Boundary::Region::Verdict::untested;
  });
}

/// Whether a finding's axis is one of the report. Values that decide without a name may be any
/// input's.
bool speaks_of(const FeatureAxis& of_finding, const FeatureAxis& axis) {
  if (of_finding.kind != axis.kind) return false;
  if (axis.is_size()) return of_finding.letter == axis.letter;
  bool any_values = axis.kind == "value" && of_finding.path.empty();
  return any_values || of_finding.path == axis.path;
}

/// Verdict and boundary of an axis: from the findings on it, else from what else was measured.
void judge_axis(const std::vector<Finding>& findings, const std::vector<Boundary>& others,
                AxisReport& axis) {
  // A letter may follow another one: then what it was decides.
  bool varied = axis.declared.find(',') != std::string::npos ||
                axis.declared.find("..") != std::string::npos ||
                axis.exercised.find(',') != std::string::npos;
  axis.verdict = axis.exercised.empty() ? "not tested" : varied ? "right" : "not varied";
  auto here = [&](const FeatureAxis& a) { return speaks_of(a, axis.axis); };
  for (const Finding& f : findings) {
    if (here(f.axis)) axis.verdict = "wrong";
    for (const Boundary& b : f.boundaries) {
      if (!here(b.axis)) continue;
      axis.verdict = "wrong";
      if (axis.boundary.empty()) axis.boundary = b.text();
    }
  }
  for (const Boundary& b : others) {
    if (!here(b.axis) || !axis.boundary.empty()) continue;
    axis.boundary = b.text();
    if (is_open(b)) {
      axis.verdict = "not tested";
    } else if (!is_right(b)) {
      axis.verdict = "wrong";
    }
  }
}

AxisReport size_axis(const Spec& spec, const std::string& name, std::string declared,
                     const CampaignResult& result) {
  AxisReport axis;
  axis.axis = diagnosis::dim_axis(spec, name);
  axis.declared = std::move(declared);
  auto used = result.exercised.find(name);
  if (used != result.exercised.end()) {
    axis.exercised = values_text(used->second);
    axis.comparisons = sum(used->second);
    axis.sizes_tried = static_cast<int64_t>(used->second.size());
  }
  if (auto missed = result.missed.find(name); missed != result.missed.end()) {
    for (const auto& [size, why] : missed->second) {
      bool compared = used != result.exercised.end() && used->second.count(size) > 0;
      if (!compared) ++axis.sizes_tried;
    }
  }
  return axis;
}

/// Every letter, and the number of dimensions of every pack.
std::vector<AxisReport> size_axes(const Spec& spec, const CampaignResult& result) {
  std::vector<AxisReport> out;
  for (const Dim& dim : spec.dims) {
    out.push_back(size_axis(spec, dim.letter, print(dim.domain), result));
  }
  std::set<std::string> packs;
  for (const InputPlace& place : input_places(spec)) {
    for (const ShapeItem& item : place.tree->shape) {
      bool fresh = item.kind == ShapeItem::Kind::pack && packs.insert(item.name).second;
      if (!fresh) continue;
      auto said = spec.ranks.find(item.name);
      auto [low, high] =
          said == spec.ranks.end() ? std::pair<int64_t, int64_t>{0, 3} : said->second;
      std::string declared = low == high ? std::to_string(low) : fmt::format("{}..{}", low, high);
      out.push_back(size_axis(spec, "*" + item.name, declared, result));
    }
  }
  return out;
}

/// Whether the user asked for these words. Kinds of values are drawn unasked, and the values that a
/// recording holds are of no kind.
bool is_declared(const Spec& spec, const ChoiceAxis& choice, const CampaignResult& result) {
  if (choice.kind != "value") return true;
  bool drawn = result.exercised.count(choice.key) + result.missed.count(choice.key) > 0;
  return drawn && spec.input_choices.count(CategoricalAxis::values) > 0;
}

/// Whether the words are the numbers of a range.
bool is_range(const ChoiceAxis& choice) {
  return choice.kind == "call" || choice.kind == "seed" || choice.kind == "export";
}

AxisReport::Word word_report(const std::string& key, const std::string& word,
                             const CampaignResult& result) {
  auto find = [&](const auto& by_key) {
    const auto* found = by_key.count(key) ? &by_key.at(key) : nullptr;
    return found && found->count(word) ? &found->at(word) : nullptr;
  };
  AxisReport::Word out{word, 0, "no case was drawn with it"};
  if (const int64_t* cases = find(result.exercised)) {
    out.comparisons = *cases;
    out.reason.clear();
  } else if (const std::string* reason = find(result.missed)) {
    out.reason = *reason;
  }
  return out;
}

AxisReport word_axis_report(const Spec& spec, const ChoiceAxis& choice,
                            const CampaignResult& result) {
  AxisReport axis;
  axis.axis.kind = choice.kind;
  axis.axis.path = choice.path;
  axis.declared = base::join(choice.choices, ",");
  auto used = result.exercised.find(choice.key);
  if (used != result.exercised.end()) {
    axis.exercised = values_text(used->second);
    axis.comparisons = sum(used->second);
  } else if (choice.choices.size() == 1) {
    // A feature with one choice is not varied: every case has it.
    axis.exercised = choice.choices[0];
    axis.comparisons = result.totals.valid;
    return axis;
  }
  if (is_declared(spec, choice, result)) {
    for (const std::string& word : choice.choices) {
      bool inner = word != choice.choices.front() && word != choice.choices.back();
      if (is_range(choice) && inner) continue;  // As of a letter's sizes, some are drawn.
      axis.words.push_back(word_report(choice.key, word, result));
    }
  }
  return axis;
}

/// AS901 and AS903: what exports at several points have in common and where they harmlessly differ.
void count_benign(const SessionRequest& r, const std::function<bool()>& over, RunReport& report) {
  if (!r.exporter || !r.exported || over()) return;
  constexpr size_t wanted = 3;
  std::vector<std::shared_ptr<const Export>> others;
  std::vector<Bindings> seen;
  for (const JudgedPoint& p : report.points) {
    if (others.size() >= wanted) break;
    bool useful =
        p.verdict == "holds" && std::find(seen.begin(), seen.end(), p.sizes) == seen.end();
    if (!useful) continue;
    seen.push_back(p.sizes);
    Point wanted_point;
    wanted_point.sizes = p.sizes;
    auto point = nearest_point(r.spec, wanted_point);
    if (!point) continue;
    if (over()) return;
    try {
      auto made = r.exporter->export_at(build_case(r.spec, *point), false);
      if (made.exported) others.push_back(made.exported);
    } catch (const base::Error&) {
      return;  // A host that is gone says nothing of constants.
    }
  }
  if (others.size() < wanted) return;
  const Program& own = r.exported->program();
  std::vector<Alignment> alignments;
  for (const auto& e : others) alignments.push_back(align(own, e->program()));
  int64_t stable = 0;
  for (size_t s = 0; s < own.steps.size(); ++s) {
    for (size_t o = 0; o < own.steps[s].operands.size(); ++o) {
      const Operand& operand = own.steps[s].operands[o];
      bool size_like = operand.kind == Operand::Kind::literal && operand.literal.is_int() &&
                       own.steps[s].op == "prim::ListConstruct";
      bool tensor = operand.kind == Operand::Kind::literal && operand.literal.is_tensor();
      if (!size_like && !tensor) continue;
      bool differs = std::any_of(alignments.begin(), alignments.end(), [&](const Alignment& a) {
        return std::any_of(a.differences.begin(), a.differences.end(), [&](const auto& d) {
          return d.kind == GraphDifference::Kind::literal && d.step_a == s && d.operand == o;
        });
      });
      if (!differs) ++stable;
    }
  }
  if (stable > 0) report.benign["AS901"] += stable;
  int64_t unlike = std::count_if(alignments.begin(), alignments.end(),
                                 [](const Alignment& a) { return !a.equal(); });
  // Where there are faults, what differs between exports may be one of them.
  if (unlike > 0 && report.findings.empty()) report.benign["AS903"] += unlike;
}

/// AS117: how many cases' elements rounding explains, and the largest of them.
void add_adjudicated(const CampaignResult& result, RunReport& report) {
  int64_t elements = 0;
  for (const Outcome& outcome : result.outcomes) elements += outcome.adjudicated;
  if (elements > 0) report.benign["AS117"] += elements;
  for (const auto& [place, error] : result.errors) {
    if (error.adjudicated_difference <= report.adjudicated_difference) continue;
    report.adjudicated_difference = error.adjudicated_difference;
    report.adjudicated_spread = error.adjudicated_spread;
  }
}

/// A trace that noted no condition over sizes, and is wrong at some, is not called valid at all.
void qualify_the_trace(RunReport& report) {
  RunReport::Guards& trace = report.guards;
  bool by_size =
      std::ranges::any_of(report.findings, [](const Finding& f) { return f.axis.kind == "dim"; });
  if (!trace.traced || !trace.for_all_sizes || !by_size) return;
  trace.sentence += ", but wrong at some: it noted nothing of what is found there";
}

}  // namespace

void summarize(const SessionRequest& r, const CampaignResult& result,
               const std::vector<Boundary>& boundaries, const std::function<bool()>& over,
               RunReport& report) {
  report.outcomes = result.outcomes;
  report.errors = result.errors;
  report.totals = result.totals;
  for (const std::string& reason : result.not_tested) report.not_tested.push_back(reason);
  report.uncompared = result.uncompared;
  report.vacuous = result.vacuous;
  add_adjudicated(result, report);
  for (AxisReport& axis : size_axes(r.spec, result)) {
    judge_axis(report.findings, boundaries, axis);
    report.axes.push_back(std::move(axis));
  }
  for (const ChoiceAxis& choice : choice_axes(r.spec)) {
    report.axes.push_back(word_axis_report(r.spec, choice, result));
    judge_axis(report.findings, boundaries, report.axes.back());
  }
  for (const Outcome& outcome : result.outcomes) {
    // Other properties ask the subject alone: what it rejects may be what the model takes.
    bool parity = outcome.property == "parity" && outcome.rejected > 0;
    if (parity) report.benign["AS902"] += outcome.rejected;
  }
  auto untested = std::count_if(report.axes.begin(), report.axes.end(),
                                [](const AxisReport& a) { return a.exercised.empty(); });
  if (untested > 0) report.benign["AS904"] += untested;
  count_benign(r, over, report);
  qualify_the_trace(report);
}

std::string repro_of(const RunReport& report, const Finding& f) {
  if (!f.smallest_case || !has_text(*f.smallest_case)) return {};
  Repro repro;
  repro.property = f.property;
  repro.class_id = f.class_id;
  repro.key = f.fingerprint;
  repro.line = f.cause.line;
  repro.model_hash = report.model.sha256;
  repro.spec_hash = report.run.config_hash;
  repro.seed = report.run.seed;
  repro.model = report.model.name;
  repro.reference = report.reference;
  repro.spec = spec_json(report.spec);
  repro.arguments = report.run.subject_flags;
  repro.right = f.right_case;
  repro.smallest = *f.smallest_case;
  return encode_repro(repro);
}

}  // namespace assay::fuzz
