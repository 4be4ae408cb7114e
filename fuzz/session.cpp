#include "fuzz/session.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/error.h"
#include "fuzz/summary.h"
#include "verify/diagnose.h"
#include "verify/diagnosis/observed.h"
#include "verify/reproduce.h"
#include "verify/spec_parser.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: a session is about everything that verify names.

namespace {

/// One cause, one finding: what two findings share when they are the same fault.
bool same_cause(const Finding& a, const Finding& b) {
  bool alike = a.class_id == b.class_id && a.cause.file == b.cause.file &&
               a.cause.line == b.cause.line && a.axis.kind == b.axis.kind;
  // A line says more than the property that found it; without one, caution.
  return alike && (a.cause.line != 0 || (a.cause.op == b.cause.op && a.property == b.property));
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
    summarize(r_, result, report_);
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
    size_t diagnosed = 0;
    for (size_t i = 0; i < result.failures.size(); ++i) {
      const Failure& failure = result.failures[i];
      if (diagnosed++ >= r_.max_diagnoses) {
        report_.not_tested.push_back(
            base::cat(result.failures.size() - i, " further kinds of failure were not diagnosed"));
        break;
      }
      auto finding = explain_one(failure, result);
      if (!finding) {
        ++report_.benign["AS901"];
        deliberate_.insert(failure.property);
        continue;
      }
      finding_of[i] = merge(std::move(*finding), failure);
    }
    number_findings(result, finding_of);
    acquit(result);
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

  std::optional<Finding> explain_one(const Failure& failure, const CampaignResult& result) {
    if (failure.flaky || !r_.exported) return unexplained(failure);
    if (r_.campaign.interrupted()) {
      auto finding = unexplained(failure);
      finding->evidence.notes.push_back("interrupted before it was diagnosed");
      return finding;
    }
    const Property& property = *property_named(failure.property);
    Situation s;
    s.spec = &r_.spec;
    s.property = failure.property;
    s.subject = r_.exported;
    s.exporter = r_.exporter;
    s.failing = failure.smallest;
    s.judgement = failure.judgement;
    s.others = failure.others;
    // Only parity needs the reference's word at every case.
    bool needs_reference = reference_.runner && failure.property == "parity";
    s.only = needs_reference ? reference_.runner->only_cases() : nullptr;
    s.judge = [&](const std::shared_ptr<Runner>& runner, const Case& c) {
      Subject other = subject_;
      other.runner = runner;
      PropertyContext context = context_;
      context.subject = &other;
      return property.judge(context, c);
    };
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
  std::optional<Case> right_case(
      const Failure& failure, const CampaignResult& result,
      const std::function<Judgement(const std::shared_ptr<Runner>&, const Case&)>& judge) const {
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
      bool better = rank(finding.visibility) < rank(known.visibility);
      if (better) {
        known = std::move(finding);
      } else {
        known.count = finding.count;
      }
      return static_cast<int>(i);
    }
    report_.findings.push_back(std::move(finding));
    return static_cast<int>(report_.findings.size()) - 1;
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
  std::set<std::string> deliberate_;  // Properties with a failure that is none.
};

}  // namespace

RunReport run_session(const SessionRequest& request) { return Session(request).run(); }

}  // namespace assay::fuzz
