#include "fuzz/session.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/error.h"
#include "fuzz/summary.h"
#include "verify/boundary.h"
#include "verify/diagnose.h"
#include "verify/diagnosis/axis.h"
#include "verify/diagnosis/observed.h"
#include "verify/reproduce.h"
#include "verify/spec_parser.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: a session is about everything that verify names.

namespace {

/// One cause, one finding: what two findings share when they are the same fault.
bool same_cause(const Finding& a, const Finding& b) {
  bool alike =
      a.class_id == b.class_id && a.cause.file == b.cause.file && a.cause.line == b.cause.line;
  // A line says more than the property that found it and the feature that shows it; without one,
  // caution.
  return alike && (a.cause.line != 0 || (a.axis.kind == b.axis.kind && a.cause.op == b.cause.op &&
                                         a.property == b.property));
}

/// Reports name files from where the run was started, so that they read alike everywhere.
std::string relative(const std::string& file) {
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string() + "/";
  return !error && file.starts_with(here) ? file.substr(here.size()) : file;
}

/// What users should know first.
int rank(Visibility v) {
  switch (v) {
    case Visibility::silent:
      return 0;
    case Visibility::lenient:
      return 1;
    case Visibility::loud:
      return 2;
    case Visibility::latent:
      return 3;
    case Visibility::none:
      break;
  }
  return 4;
}

class Session {
 public:
  explicit Session(const SessionRequest& request) : r_(request) {
    report_ = r_.header;
    report_.spec = r_.spec;
    report_.reference = reference_text();
    report_.run.config_hash = short_hash(spec_text(r_.spec));
    subject_ = r_.subject;
    reference_ = r_.reference;
    context_.spec = &r_.spec;
    context_.subject = &subject_;
    context_.reference = reference_.runner ? &reference_ : nullptr;
    context_.compare = r_.compare;
  }

  RunReport run() {
    tell([&](Listener& l) { l.run_started(report_); });
    CampaignResult result = run_campaign(context_, r_.properties, r_.campaign);
    explain(result);
    summarize(r_, result, boundaries_, report_);
    report_.gate = decide(r_.gate, report_);
    tell([&](Listener& l) { l.run_finished(report_); });
    return std::move(report_);
  }

 private:
  template <typename F>
  void tell(F what) {
    for (Listener* l : r_.campaign.listeners) what(*l);
  }

  std::string reference_text() const {
    if (!r_.reference.runner) return "itself";
    const Reference& reference = r_.reference;
    return base::cat(reference_kind_name(reference.kind), ": ",
                     reference.name.empty() ? reference.runner->name() : reference.name);
  }

  void explain(CampaignResult& result) {
    std::vector<int> finding_of(result.failures.size(), -1);
    size_t kinds = result.failures.size();
    for (size_t i = 0; i < kinds; ++i) {
      const Failure& failure = result.failures[i];
      // What is not diagnosed is still a failure.
      bool worth_it = i < r_.max_diagnoses;
      auto finding = worth_it ? explain_one(failure, result) : unexplained(failure);
      if (!finding) {
        ++report_.benign["AS901"];
        deliberate_.insert(failure.property);
        continue;
      }
      finding_of[i] = merge(std::move(*finding), failure);
    }
    if (kinds > r_.max_diagnoses) {
      report_.not_tested.push_back(
          base::cat(kinds - r_.max_diagnoses, " further kinds of failure were not diagnosed"));
    }
    try {
      measure_other_letters(result);
    } catch (const base::Error& e) {
      report_.not_tested.push_back("boundaries of the letters without a finding: " + e.message());
    }
    number_findings(result, finding_of);
    acquit(result);
  }

  /// Every letter's own boundary, where there is a finding: a case fails in one way, and what else
  /// is pinned may hide behind it. What fails along a letter alone is explained like any failure.
  void measure_other_letters(const CampaignResult& result) {
    if (report_.findings.empty() || r_.campaign.interrupted()) return;
    const Finding& first = report_.findings[0];
    if (!first.right_case || first.flaky) return;
    const Case right = *first.right_case;
    const std::string property = first.property;
    for (const Dim& dim : r_.spec.dims) {
      FeatureAxis axis = diagnosis::dim_axis(r_.spec, dim.letter);
      bool measured =
          std::any_of(report_.findings.begin(), report_.findings.end(),
                      [&](const Finding& f) { return f.property == property && f.axis == axis; });
      if (measured || !right.point.sizes.count(axis.letter)) continue;
      auto judge = judge_of(property);
      Boundary boundary = measure_boundary(
          r_.spec, right, axis, [&](const Case& c) { return judge(r_.subject.runner, c); },
          only_cases(property));
      if (auto failing = failing_case(boundary, right)) explain_along(*failing, property, result);
      if (boundary.possible > 1) boundaries_.push_back(std::move(boundary));
    }
  }

  /// A case that differs from a right one in the boundary's letter alone, and fails.
  std::optional<Case> failing_case(const Boundary& boundary, const Case& right) const {
    using Verdict = Boundary::Region::Verdict;
    for (const Boundary::Region& region : boundary.regions) {
      bool fails = region.verdict == Verdict::wrong || region.verdict == Verdict::error ||
                   region.verdict == Verdict::lenient;
      if (!fails || region.sizes.empty()) continue;
      Point wanted = right.point;
      wanted.sizes[boundary.axis.letter] = region.sizes[0].first;
      if (auto point = settle(r_.spec, wanted)) return build_case(r_.spec, *point);
    }
    return std::nullopt;
  }

  void explain_along(const Case& failing, const std::string& property,
                     const CampaignResult& result) {
    Failure failure;
    failure.property = property;
    failure.first = failure.smallest = failing;
    failure.judgement = judge_of(property)(r_.subject.runner, failing);
    if (failure.judgement.verdict != Judgement::Verdict::violated) return;
    failure.visibility = visibility_of(failure.judgement.comparison);
    if (auto finding = explain_one(failure, result)) merge(std::move(*finding), failure);
  }

  /// A property whose every failure turned out to be what the model itself asks for has held.
  void acquit(CampaignResult& result) const {
    for (Outcome& o : result.outcomes) {
      bool found = std::any_of(report_.findings.begin(), report_.findings.end(),
                               [&](const Finding& f) { return f.property == o.property; });
      if (o.status != Status::failed || found || !deliberate_.count(o.property)) continue;
      o.status = Status::passed;
      o.reason = "what differs is what the model itself asks for (AS901)";
    }
  }

  const Property* property_named(const std::string& id) const {
    for (const auto& p : r_.properties) {
      if (p->id() == id) return p.get();
    }
    return nullptr;
  }

  using SubjectJudge = std::function<Judgement(const std::shared_ptr<Runner>&, const Case&)>;

  /// The property with another subject in place of the one under test.
  SubjectJudge judge_of(const std::string& property) const {
    return [this, law = property_named(property)](const std::shared_ptr<Runner>& runner,
                                                  const Case& c) {
      Subject other = subject_;
      other.runner = runner;
      PropertyContext context = context_;
      context.subject = &other;
      return law->judge(context, c);
    };
  }

  /// The only cases that the property can be judged at; null where there is no such bound.
  const std::vector<Case>* only_cases(const std::string& property) const {
    // Only parity needs the reference's word at every case.
    bool needs_reference = reference_.runner && property == "parity";
    return needs_reference ? reference_.runner->only_cases() : nullptr;
  }

  std::optional<Finding> explain_one(const Failure& failure, const CampaignResult& result) {
    if (failure.flaky || !r_.exported) return unexplained(failure);
    if (r_.campaign.interrupted()) {
      auto finding = unexplained(failure);
      finding->evidence.notes.push_back("interrupted before it was diagnosed");
      return finding;
    }
    Situation s;
    s.spec = &r_.spec;
    s.property = failure.property;
    s.subject = r_.exported;
    s.exporter = r_.exporter;
    s.failing = failure.smallest;
    s.judgement = failure.judgement;
    s.others = failure.others;
    s.only = only_cases(failure.property);
    s.judge = judge_of(failure.property);
    s.right = right_case(failure, result, s.judge);
    try {
      std::optional<Finding> finding = diagnose(s);
      if (finding) finding->right_case = s.right;
      return finding;
    } catch (const base::Error& e) {
      auto finding = unexplained(failure);
      finding->evidence.notes.push_back("the diagnosis failed: " + e.message());
      return finding;
    }
  }

  /// The export's own example if the property holds there, else a case where it held.
  std::optional<Case> right_case(const Failure& failure, const CampaignResult& result,
                                 const SubjectJudge& judge) const {
    if (r_.exported->made_at) {
      const Case& example = *r_.exported->made_at;
      if (judge(r_.subject.runner, example).verdict != Judgement::Verdict::violated) return example;
    }
    auto held = result.right.find(failure.property);
    if (held != result.right.end()) return held->second;
    return std::nullopt;
  }

  std::optional<Finding> unexplained(const Failure& failure) const {
    Finding f;
    f.property = failure.property;
    f.axis.kind = "value";
    f.class_id = failure.property == "deterministic" || failure.flaky
                     ? "AS116"
                     : diagnosis::observed_class(failure.judgement, f.axis, false);
    f.visibility = failure.visibility;
    f.comparison = failure.judgement.comparison;
    f.smallest_case = failure.smallest;
    f.flaky = failure.flaky;
    const FailureClass* row = find_failure_class(f.class_id);
    f.title = row ? std::string(row->name) : "";
    f.fingerprint = fingerprint(f);
    return f;
  }

  int merge(Finding finding, const Failure& failure) {
    finding.count = failure.count;
    finding.first_case = failure.first;
    finding.flaky = failure.flaky;
    const Difference* headline = finding.comparison.headline();
    if (headline) {
      finding.subject_gave = headline->subject;
      finding.reference_gave = headline->reference;
    }
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      Finding& known = report_.findings[i];
      if (!same_cause(known, finding)) continue;
      finding.count += known.count;
      // What users should know first leads; of equals, what is better proven.
      bool better = std::pair(rank(finding.visibility), known.cause.proof) <
                    std::pair(rank(known.visibility), finding.cause.proof);
      if (better) std::swap(known, finding);
      known.count = std::max(known.count, finding.count);
      // The same line seen along another axis.
      for (Boundary& b : finding.boundaries) add_boundary(known, std::move(b));
      return static_cast<int>(i);
    }
    report_.findings.push_back(std::move(finding));
    return static_cast<int>(report_.findings.size()) - 1;
  }

  static void add_boundary(Finding& finding, Boundary boundary) {
    bool known = std::any_of(finding.boundaries.begin(), finding.boundaries.end(),
                             [&](const Boundary& b) { return b.axis == boundary.axis; });
    if (!known) finding.boundaries.push_back(std::move(boundary));
  }

  /// Orders the findings for people, gives them ids and repro strings, and ties points to them.
  void number_findings(CampaignResult& result, const std::vector<int>& finding_of) {
    std::vector<size_t> order(report_.findings.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return rank(report_.findings[a].visibility) < rank(report_.findings[b].visibility);
    });
    std::vector<Finding> sorted;
    std::vector<std::string> id_of(order.size());
    for (size_t position = 0; position < order.size(); ++position) {
      Finding& f = report_.findings[order[position]];
      f.cause.file = relative(f.cause.file);
      if (r_.source_line) f.cause.source = r_.source_line(f.cause.file, f.cause.line);
      f.id = base::cat("F", position + 1);
      id_of[order[position]] = f.id;
      f.repro = repro_of(f);
      f.repro_flags = report_.run.repro_flags;
      tell([&](Listener& l) { l.finding(f); });
      sorted.push_back(std::move(f));
    }
    report_.findings = std::move(sorted);
    for (CampaignPoint& p : result.points) {
      int finding = p.failure < 0 ? -1 : finding_of[static_cast<size_t>(p.failure)];
      if (finding >= 0) p.point.finding = id_of[static_cast<size_t>(finding)];
      report_.points.push_back(std::move(p.point));
    }
  }

  std::string repro_of(const Finding& f) const {
    if (!f.smallest_case || !has_text(*f.smallest_case)) return {};
    Repro repro;
    repro.property = f.property;
    repro.class_id = f.class_id;
    repro.key = f.fingerprint;
    repro.model_hash = report_.model.sha256;
    repro.spec_hash = report_.run.config_hash;
    repro.seed = report_.run.seed;
    repro.model = report_.model.name;
    repro.reference = report_.reference;
    repro.spec = spec_json(r_.spec);
    repro.arguments = report_.run.subject_flags;
    repro.right = f.right_case;
    repro.smallest = *f.smallest_case;
    return encode_repro(repro);
  }

  const SessionRequest& r_;
  RunReport report_;
  Subject subject_;
  Reference reference_;
  PropertyContext context_;
  std::vector<Boundary> boundaries_;  // Of letters that no finding was made on at first.
  std::set<std::string> deliberate_;  // Properties with a failure that is none.
};

}  // namespace

RunReport run_session(const SessionRequest& request) { return Session(request).run(); }

}  // namespace assay::fuzz
