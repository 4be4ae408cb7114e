#include "fuzz/explain.h"

#include <algorithm>

#include "engine/base/error.h"
#include "fuzz/shrink/point.h"
#include "verify/diagnosis/observed.h"

namespace assay::fuzz {

using verify::Case;
using verify::Diagnosis;
using verify::Finding;
using verify::Judgement;
using verify::Point;
using verify::Proof;
using verify::Situation;

namespace {

/// Diagnoses beyond the first that one kind of failure is worth; each makes exports.
constexpr int further_diagnoses = 4;
/// Diagnoses while one more cause is shrunk.
constexpr int shrink_diagnoses = 8;

/// Takes the cases of one kind of failure apart by cause.
class Separation {
 public:
  Separation(const SessionRequest& request, const Failure& failure, Situation situation)
      : r_(request), failure_(failure), situation_(std::move(situation)) {}

  std::vector<Explained> run() {
    Diagnosis main = diagnose_at(failure_.smallest, failure_.judgement, true);
    note(main, failure_.smallest);
    if (causes_.empty()) return {};
    causes_[0].count = failure_.count;
    causes_[0].first = failure_.first;
    try {
      look_into_other_cases();
    } catch (const base::Error& e) {  // What was found stays found.
      causes_[0].finding.evidence.notes.push_back("not all of its cases were looked into: " +
                                                  e.message());
    }
    return std::move(causes_);
  }

 private:
  void look_into_other_cases() {
    diagnoses_left_ = further_diagnoses;
    count_case(failure_.first);
    for (const Case& c : failure_.others) count_case(c);
    // What another fault was met at on the way is a finding, too.
    for (const Case& c : failure_.path) separate(c);
  }

  Diagnosis diagnose_at(const Case& c, Judgement judgement, bool with_boundary) const {
    Situation s = situation_;
    s.failing = c;
    s.judgement = std::move(judgement);
    s.with_boundary = with_boundary;
    return verify::diagnose(s);
  }

  Judgement judge(const Case& c) const { return situation_.judge(r_.subject.runner, c); }

  bool fails_alike(const Judgement& judgement, const Case& c) const {
    return judgement.verdict == Judgement::Verdict::violated &&
           r_.campaign.key(c, judgement) == failure_.key;
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
    bool one = found.size() == 1 && diagnosis.findings.size() == 1;
    if (one && diagnosis.repaired) causes_[found[0]].repairs.push_back(diagnosis.repaired);
    return found;
  }

  size_t known(const Finding& f) const {
    auto same = [&](const Explained& e) { return same_cause(e.finding, f); };
    return static_cast<size_t>(std::find_if(causes_.begin(), causes_.end(), same) -
                               causes_.begin());
  }

  /// The causes that a case has: the one whose repair cures it, else what its own diagnosis finds;
  /// none where that stays open.
  std::vector<size_t> causes_of(const Case& c, const Judgement* judgement = nullptr) {
    if (r_.campaign.interrupted()) return {};
    for (size_t k = 0; k < causes_.size(); ++k) {
      for (const auto& repaired : causes_[k].repairs) {
        if (repaired(c).verdict == Judgement::Verdict::holds) return {k};
      }
    }
    if (diagnoses_left_ <= 0) return {};
    --diagnoses_left_;
    Judgement own = judgement ? *judgement : judge(c);
    if (!fails_alike(own, c)) return {};
    Diagnosis diagnosis = diagnose_at(c, std::move(own), false);
    return note(diagnosis, c);
  }

  void count_case(const Case& c) {
    std::vector<size_t> causes = separate(c);
    if (causes.empty()) return;
    for (size_t k : causes) causes_[k].count += k == 0 ? 0 : 1;
    bool main = std::find(causes.begin(), causes.end(), 0) != causes.end();
    if (main) return;
    --causes_[0].count;
    if (c == failure_.first) causes_[0].first = failure_.smallest;
  }

  /// The causes of one case; any that is new is shrunk and explained at its smallest.
  std::vector<size_t> separate(const Case& c) {
    size_t before = causes_.size();
    std::vector<size_t> found = causes_of(c);
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
    return r_.campaign.shrink && situation_.only == nullptr && !c.given &&
           in_domain(r_.spec, c.point);
  }

  /// Walks to ever simpler cases of one cause, and sets them down.
  void shrink_within(size_t k, std::vector<Case>& path) {
    const Budget& budget = r_.campaign.budget;
    double end = r_.campaign.clock() + budget.max_shrink_seconds;
    ShrinkLimits limits{budget.max_shrinks,
                        [&] { return r_.campaign.interrupted() || r_.campaign.clock() >= end; }};
    const std::string within = "this cause";
    auto attempt = [&](const Point& point) {
      Case c = build_case(r_.spec, point);
      Judgement judgement = judge(c);
      Attempt out;
      out.fails = judgement.verdict == Judgement::Verdict::violated;
      if (!fails_alike(judgement, c)) return out;
      std::vector<size_t> causes = causes_of(c, &judgement);
      if (std::find(causes.begin(), causes.end(), k) == causes.end()) return out;
      out.key = within;
      path.push_back(std::move(c));
      return out;
    };
    shrink(r_.spec, path.front().point, within, attempt, limits);
  }

  const SessionRequest& r_;
  const Failure& failure_;
  Situation situation_;
  std::vector<Explained> causes_;
  int diagnoses_left_ = 0;
};

}  // namespace

Explainer::SubjectJudge Explainer::judge_of(const std::string& property) const {
  auto is_it = [&](const auto& p) { return p->id() == property; };
  auto law = std::find_if(r_.properties.begin(), r_.properties.end(), is_it);
  base::invariant(law != r_.properties.end(), "a failure belongs to a property of the session");
  return [this, law = law->get()](const std::shared_ptr<verify::Runner>& runner, const Case& c) {
    verify::Subject other = *context_.subject;
    other.runner = runner;
    verify::PropertyContext context = context_;
    context.subject = &other;
    return law->judge(context, c);
  };
}

const std::vector<Case>* Explainer::only_cases(const std::string& property) const {
  // Only parity needs the reference's word at every case.
  bool needs_reference = context_.reference && property == "parity";
  return needs_reference ? context_.reference->runner->only_cases() : nullptr;
}

std::vector<Explained> Explainer::explain(const Failure& failure,
                                          const CampaignResult& result) const {
  auto observed = [&](const std::string& note) {
    std::vector<Explained> alone(1);
    alone[0].finding = unexplained(failure);
    if (!note.empty()) alone[0].finding.evidence.notes.push_back(note);
    alone[0].first = failure.first;
    alone[0].count = failure.count;
    return alone;
  };
  if (failure.flaky || !r_.exported) return observed("");
  if (r_.campaign.interrupted()) return observed("interrupted before it was diagnosed");
  Situation s;
  s.spec = &r_.spec;
  s.property = failure.property;
  s.subject = r_.exported;
  s.exporter = r_.exporter;
  s.others = failure.others;
  s.only = only_cases(failure.property);
  s.judge = judge_of(failure.property);
  s.right = right_case(failure, result);
  try {
    std::vector<Explained> causes = Separation(r_, failure, s).run();
    for (Explained& e : causes) e.finding.right_case = s.right;
    return causes;
  } catch (const base::Error& e) {
    return observed("the diagnosis failed: " + e.message());
  }
}

/// The export's own example if the property holds there, else a case where it held.
std::optional<Case> Explainer::right_case(const Failure& failure,
                                          const CampaignResult& result) const {
  if (r_.exported->made_at) {
    const Case& example = *r_.exported->made_at;
    Judgement there = judge_of(failure.property)(r_.subject.runner, example);
    if (there.verdict != Judgement::Verdict::violated) return example;
  }
  auto held = result.right.find(failure.property);
  if (held != result.right.end()) return held->second;
  return std::nullopt;
}

Finding Explainer::unexplained(const Failure& failure) const {
  Finding f;
  f.property = failure.property;
  f.axis.kind = "value";
  f.class_id = failure.property == "deterministic" || failure.flaky
                   ? "AS116"
                   : verify::diagnosis::observed_class(failure.judgement, f.axis, false);
  f.visibility = failure.visibility;
  f.comparison = failure.judgement.comparison;
  f.smallest_case = failure.smallest;
  f.flaky = failure.flaky;
  const verify::FailureClass* row = verify::find_failure_class(f.class_id);
  f.title = row ? std::string(row->name) : "";
  f.fingerprint = fingerprint(f);
  return f;
}

}  // namespace assay::fuzz
