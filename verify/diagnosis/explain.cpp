#include "verify/diagnosis/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/error.h"
#include "verify/diagnosis/observed.h"
#include "verify/properties/judging.h"

namespace assay::verify {

namespace {

/// Diagnoses beyond the first that one kind of failure is worth; each makes exports.
constexpr int further_diagnoses = 4;
/// Diagnoses while one more cause is shrunk.
constexpr int shrink_diagnoses = 8;

/// Seconds for trying repairs on further cases.
constexpr double reach_seconds = 3;

/// Takes the cases of one kind of failure apart by cause.
class Separation {
 public:
  Separation(const ExplainOptions& options, const FailureGroup& group,
             const std::vector<Case>& held, DiagnosisRequest request)
      : options_(options), group_(group), held_(held), request_(std::move(request)) {}

  std::vector<Explained> run() {
    Diagnosis main = diagnose_at(group_.smallest, group_.judgement, true);
    note(main, group_.smallest);
    if (causes_.empty()) return {};
    causes_[0].count = group_.count;
    causes_[0].first = group_.first;
    try {
      end_ = options_.clock() + reach_seconds;
      look_into_other_cases();
      try_on_right_cases();
      judge_proofs();
    } catch (const base::Error& e) {  // What was found stays found.
      causes_[0].finding.evidence.notes.push_back("not all of its cases were looked into: " +
                                                  e.message());
    }
    return std::move(causes_);
  }

 private:
  /// A repair, and the causes that it repairs together: positions in causes_.
  struct Repair {
    std::vector<size_t> causes;
    diagnosis::JudgeRepaired judge;
  };

  /// What is known of one case.
  struct Causes {
    std::vector<size_t> of;  ///< Positions in causes_; empty where that stays open.
    bool cured = false;      ///< A repair of these causes cures it.
    bool tried = true;       ///< False where time ended before all was tried.
  };

  void look_into_other_cases() {
    diagnoses_left_ = further_diagnoses;
    std::vector<Case> cases{group_.smallest};
    std::vector<Causes> found{{{0}}};
    auto look = [&](const Case& c) {
      if (time_is_up()) return;
      Causes causes = separate(c);
      count_case(c, causes);
      if (!causes.tried || std::find(cases.begin(), cases.end(), c) != cases.end()) return;
      cases.push_back(c);
      found.push_back(std::move(causes));
    };
    look(group_.first);
    for (const Case& c : group_.others) look(c);
    // What another fault was met at on the way is a finding, too.
    for (const Case& c : group_.path) separate(c);
    // What was learnt from later cases may cure earlier ones.
    for (size_t i = 0; i < cases.size(); ++i) {
      if (!found[i].cured && !time_is_up()) {
        if (auto causes = cured_by_known(cases[i]); !causes.empty()) found[i] = {causes, true};
      }
      count_reach(found[i]);
    }
  }

  bool time_is_up() const { return options_.interrupted() || options_.clock() >= end_; }

  void count_reach(const Causes& causes) {
    std::vector<size_t> of = causes.of;
    if (of.empty()) of = {0};  // For all that is known.
    for (size_t k : of) {
      ++reach_[k].failing;
      if (causes.cured) ++reach_[k].cured;
    }
  }

  /// Whether the repairs leave right what is.
  void try_on_right_cases() {
    for (size_t k = 0; k < causes_.size(); ++k) {
      auto has_it = [&](const Repair& r) {
        return std::find(r.causes.begin(), r.causes.end(), k) != r.causes.end();
      };
      auto repair = std::find_if(repairs_.begin(), repairs_.end(), has_it);
      if (repair == repairs_.end()) continue;
      for (const Case& c : held_) {
        if (time_is_up()) return;
        Judgement repaired = repair->judge(c);
        bool broken = repaired.verdict == Judgement::Verdict::violated;
        if (!broken && repaired.verdict != Judgement::Verdict::holds) continue;
        ++reach_[k].right;
        if (broken) ++reach_[k].broken;
      }
    }
  }

  /// A repair that does not reach all cases of its cause, or that breaks others, proves nothing.
  void judge_proofs() {
    for (const auto& [k, reach] : reach_) {
      Cause& cause = causes_[k].finding.cause;
      if (cause.proof != Proof::proven) continue;
      cause.reach = reach;
      if (!reach.complete()) cause.proof = Proof::supported;
    }
  }

  Diagnosis diagnose_at(const Case& c, Judgement judgement, bool with_boundary,
                        bool this_case = false) const {
    DiagnosisRequest s = request_;
    s.this_case = this_case;
    s.failing = c;
    s.judgement = std::move(judgement);
    s.with_boundary = with_boundary;
    return diagnose(s);
  }

  Judgement judge(const Case& c) const {
    return request_.judge(options_.context->subject->runner, c);
  }

  bool fails_alike(const Judgement& judgement, const Case& c) const {
    return judgement.verdict == Judgement::Verdict::violated &&
           options_.key(c, judgement) == group_.key;
  }

  /// Sets each cause down that the diagnosis at `c` found; the indices of all of them.
  std::vector<size_t> note(Diagnosis& diagnosis, const Case& c) {
    std::vector<size_t> found;
    for (Finding& f : diagnosis.findings) {
      size_t k = known(f);
      // Beside a known cause, only what is more than a suspicion.
      if (k == causes_.size() && k > 0 && f.cause.proof < Proof::supported) continue;
      if (k == causes_.size()) {
        Explained& fresh = causes_.emplace_back();
        fresh.finding = std::move(f);
        fresh.first = c;
      }
      found.push_back(k);
    }
    bool all = found.size() == diagnosis.findings.size();
    if (all && diagnosis.repaired) {
      // What repairs less is tried first.
      auto more = [&](const Repair& r) { return r.causes.size() > found.size(); };
      repairs_.insert(std::find_if(repairs_.begin(), repairs_.end(), more),
                      {found, diagnosis.repaired});
    }
    if (diagnosis.exchange) exchanges_.emplace_back(found, *diagnosis.exchange);
    return found;
  }

  size_t known(const Finding& f) const {
    auto same = [&](const Explained& e) { return same_cause(e.finding, f); };
    return static_cast<size_t>(std::find_if(causes_.begin(), causes_.end(), same) -
                               causes_.begin());
  }

  /// The causes that a case has: those whose repair cures it, else what its own diagnosis finds.
  Causes causes_of(const Case& c, const Judgement* judgement = nullptr) {
    if (options_.interrupted()) return {{}, false, false};
    if (auto causes = cured_by_known(c); !causes.empty()) return {causes, true};
    if (diagnoses_left_ <= 0) return {};
    --diagnoses_left_;
    Judgement own = judgement ? *judgement : judge(c);
    if (!fails_alike(own, c)) return {{}, false, false};
    Diagnosis diagnosis = diagnose_at(c, own, false);
    std::vector<size_t> causes = note(diagnosis, c);
    bool cured = is_cured(diagnosis, c);
    if (!cured && diagnosis.repaired) {  // It is of one of several faults that the case has.
      Diagnosis of_all = diagnose_at(c, std::move(own), false, true);
      cured = is_cured(of_all, c);
      if (cured) causes = note(of_all, c);
    }
    return {causes, cured};
  }

  static bool is_cured(const Diagnosis& diagnosis, const Case& c) {
    return diagnosis.repaired && diagnosis.repaired(c).verdict == Judgement::Verdict::holds;
  }

  /// The causes whose repairs cure the case, each alone or together; empty where they do not.
  std::vector<size_t> cured_by_known(const Case& c) const {
    for (const Repair& repair : repairs_) {
      if (repair.judge(c).verdict == Judgement::Verdict::holds) return repair.causes;
    }
    return repaired_together(c);
  }

  /// The causes whose repairs cure the case only together: those of one cause at several places
  /// (two sizes at one line), or several causes. Empty where they do not, or there are not several.
  std::vector<size_t> repaired_together(const Case& c) const {
    if (exchanges_.size() < 2 || !request_.exporter) return {};
    auto all = [](const std::vector<size_t>&) { return true; };
    if (!cures_together(c, all)) return {};
    std::set<size_t> needed;
    for (const auto& [causes, exchange] : exchanges_) needed.insert(causes.begin(), causes.end());
    for (size_t k : std::set<size_t>(needed)) {
      auto without = [&](const std::vector<size_t>& causes) {
        return std::none_of(causes.begin(), causes.end(),
                            [&](size_t of) { return of == k || !needed.count(of); });
      };
      if (cures_together(c, without)) needed.erase(k);
    }
    return {needed.begin(), needed.end()};
  }

  /// Whether the exchanges for the causes that are chosen cure the case.
  bool cures_together(const Case& c,
                      const std::function<bool(const std::vector<size_t>&)>& chosen) const {
    std::vector<diagnosis::Exchange> set;
    for (const auto& [causes, exchange] : exchanges_) {
      if (chosen(causes)) set.push_back(exchange);
    }
    if (set.empty()) return false;
    auto repaired = diagnosis::repair_by_all(std::move(set), request_.judge, *request_.exporter);
    return repaired(c).verdict == Judgement::Verdict::holds;
  }

  void count_case(const Case& c, const Causes& causes) {
    if (causes.of.empty()) return;
    for (size_t k : causes.of) causes_[k].count += k == 0 ? 0 : 1;
    bool main = std::find(causes.of.begin(), causes.of.end(), 0) != causes.of.end();
    if (main) return;
    --causes_[0].count;
    if (c == group_.first) causes_[0].first = group_.smallest;
  }

  /// The causes of one case; any that is new is shrunk and explained at its smallest.
  Causes separate(const Case& c) {
    size_t before = causes_.size();
    Causes found = causes_of(c);
    for (size_t k = before; k < causes_.size(); ++k) explain_smallest(k, c);
    return found;
  }

  void explain_smallest(size_t k, const Case& start) {
    std::vector<Case> path{start};
    int left = std::exchange(diagnoses_left_, shrink_diagnoses);
    if (may_shrink(start)) shrink_within(k, path);
    diagnoses_left_ = left;
    // A repair may cure for another reason than the fault's: the diagnosis has the last word.
    for (; !path.empty(); path.pop_back()) {
      Judgement judgement = judge(path.back());
      if (!fails_alike(judgement, path.back())) continue;
      Diagnosis diagnosis = diagnose_at(path.back(), std::move(judgement), true);
      for (Finding& f : diagnosis.findings) {
        if (!same_cause(f, causes_[k].finding)) continue;
        causes_[k].finding = std::move(f);
        return;
      }
    }
  }

  bool may_shrink(const Case& c) const {
    return options_.shrink && request_.only == nullptr && !c.given &&
           in_domain(*request_.spec, c.point);
  }

  /// Walks to ever simpler cases of one cause, and sets them down.
  void shrink_within(size_t k, std::vector<Case>& path) {
    const Point start = path.front().point;
    auto has_this_cause = [&](const Point& point) {
      Case c = build_case(*request_.spec, point);
      Judgement judgement = judge(c);
      if (!fails_alike(judgement, c)) return false;
      std::vector<size_t> causes = causes_of(c, &judgement).of;
      if (std::find(causes.begin(), causes.end(), k) == causes.end()) return false;
      path.push_back(std::move(c));
      return true;
    };
    options_.shrink(start, has_this_cause);
  }

  const ExplainOptions& options_;
  const FailureGroup& group_;
  const std::vector<Case>& held_;
  DiagnosisRequest request_;
  std::vector<Explained> causes_;
  std::vector<Repair> repairs_;
  /// What was exchanged for proofs, with the causes.
  std::vector<std::pair<std::vector<size_t>, diagnosis::Exchange>> exchanges_;
  std::map<size_t, Reach> reach_;  // By position in causes_.
  int diagnoses_left_ = 0;
  double end_ = 0;  // Of the time for trying repairs.
};

void give_title(Finding& f) {
  const FailureClass* row = find_failure_class(f.class_id);
  f.title = row ? std::string(row->name) : "";
  f.fingerprint = fingerprint(f);
}

/// What was met, and no more: a class would be a guess.
std::vector<Explained> undiagnosed(
    const std::function<std::vector<Explained>(const std::string&)>& observed) {
  std::vector<Explained> out = observed("interrupted before it was diagnosed");
  out[0].finding.class_id = "AS121";
  give_title(out[0].finding);
  return out;
}

/// A fault of assay's engine, which the export's users do not see.
void blame_assay(Finding& f) {
  f.class_id = "AS118";
  f.visibility = Visibility::latent;
  give_title(f);
}

}  // namespace

const verify::Property& Explainer::law_of(const std::string& property) const {
  auto is_it = [&](const auto& p) { return p->id() == property; };
  auto law = std::find_if(options_.properties->begin(), options_.properties->end(), is_it);
  base::invariant(law != options_.properties->end(),
                  "a failure belongs to a property of the session");
  return **law;
}

Explainer::SubjectJudge Explainer::judge_of(const std::string& property) const {
  return [this, law = &law_of(property)](const std::shared_ptr<Runner>& runner, const Case& c) {
    Subject other = *options_.context->subject;
    other.runner = runner;
    PropertyContext context = *options_.context;
    context.subject = &other;
    return law->judge(context, c);
  };
}

const std::vector<Case>* Explainer::only_cases(const std::string& property) const {
  // Only parity needs the reference's word at every case.
  bool needs_reference = options_.context->reference && property == "parity";
  return needs_reference ? options_.context->reference->runner->only_cases() : nullptr;
}

Explainer::Confirmation Explainer::confirm(const FailureGroup& group) const {
  Confirmation out;
  Runner* theirs = options_.context->subject->in_pytorch.get();
  if (!theirs || !group.judgement.of_reference || group.flaky) return out;
  const Case& c = group.smallest;
  if (!theirs->cannot_run(c).empty()) return out;
  Observation run = theirs->run(c);
  Comparison comparison =
      compare_adjudicated(run, group.judgement.reference, options_.context->compare,
                          *options_.context->subject->runner, c);
  out.ours = comparison.verdict == Comparison::Verdict::agree ||
             comparison.verdict == Comparison::Verdict::rejected;
  std::string_view says = out.ours
                              ? "runs this very archive as the model runs: the fault is assay's"
                          : comparison.verdict == Comparison::Verdict::differ
                              ? "runs the archive otherwise than the model, too"
                              : "cannot tell";
  out.sentence = fmt::format("{} {}", theirs->name(), says);
  if (comparison.verdict == Comparison::Verdict::nothing) out.sentence += ": " + comparison.reason;
  return out;
}

std::vector<Explained> Explainer::explain(const FailureGroup& group,
                                          const std::vector<Case>& held) const {
  auto observed = [&](const std::string& note) {
    std::vector<Explained> alone(1);
    alone[0].finding = unexplained(group);
    if (!note.empty()) alone[0].finding.evidence.notes.push_back(note);
    alone[0].first = group.first;
    alone[0].count = group.count;
    return alone;
  };
  if (law_of(group.property).about_assay()) {
    return observed("a fault of assay's engine; the model is not concerned");
  }
  if (options_.interrupted()) return undiagnosed(observed);
  Confirmation confirmation = confirm(group);
  std::vector<Explained> causes =
      confirmation.ours ? observed("") : diagnosed(group, held, observed);
  for (Explained& cause : causes) {
    cause.finding.confirmation = confirmation.sentence;
    if (confirmation.ours) blame_assay(cause.finding);
  }
  return causes;
}

std::vector<Explained> Explainer::diagnosed(
    const FailureGroup& group, const std::vector<Case>& held,
    const std::function<std::vector<Explained>(const std::string&)>& observed) const {
  if (group.flaky || !options_.exported) return observed("");
  if (options_.interrupted()) return undiagnosed(observed);
  DiagnosisRequest s;
  s.spec = options_.context->spec;
  s.property = group.property;
  s.subject = options_.exported;
  s.exporter = options_.exporter;
  s.others = group.others;
  s.only = only_cases(group.property);
  s.judge = judge_of(group.property);
  s.right = right_case(group, held);
  try {
    std::vector<Explained> causes = Separation(options_, group, held, s).run();
    // What an interruption cut short has seen half of the evidence.
    if (options_.interrupted()) return undiagnosed(observed);
    for (Explained& e : causes) e.finding.right_case = s.right;
    return causes;
  } catch (const base::Error& e) {
    return observed("the diagnosis failed: " + e.message());
  }
}

/// The export's own example if the property holds there, else a case where it held.
std::optional<Case> Explainer::right_case(const FailureGroup& group,
                                          const std::vector<Case>& held) const {
  if (options_.exported->exported_at) {
    const Case& example = *options_.exported->exported_at;
    Judgement there = judge_of(group.property)(options_.context->subject->runner, example);
    if (there.verdict != Judgement::Verdict::violated) return example;
  }
  return held.empty() ? std::nullopt : std::optional(held.back());
}

Finding Explainer::unexplained(const FailureGroup& group) const {
  Finding f;
  f.property = group.property;
  f.axis.kind = "value";
  f.class_id = group.property == "deterministic" || group.flaky
                   ? "AS116"
                   : diagnosis::observed_class(group.judgement, f.axis, false);
  f.visibility = group.visibility;
  f.comparison = group.judgement.comparison;
  f.smallest_case = group.smallest;
  f.flaky = group.flaky;
  if (law_of(group.property).about_assay()) {
    blame_assay(f);
  } else {
    give_title(f);
  }
  return f;
}

}  // namespace assay::verify
