#include "verify/findings/gate.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/text.h"

namespace assay::verify {

namespace {

bool class_selected(const GatePolicy& policy, const std::string& id) {
  if (policy.fail_classes.empty()) return true;
  return std::any_of(policy.fail_classes.begin(), policy.fail_classes.end(),
                     [&](const std::string& prefix) { return id.rfind(prefix, 0) == 0; });
}

/// Sentences for each exit code that applies.
struct Reasons {
  std::vector<std::string> internal, failed, undecided;
};

std::string sentence_of(const Finding& finding) {
  return fmt::format("{}: {} {} ({})", finding.id, finding.class_id, finding.title,
                     visibility_text(finding));
}

bool is_accepted(const Finding& finding) {
  return finding.state == FindingState::known || finding.state == FindingState::xfail;
}

/// A fault that fails the gate unless it is told otherwise.
bool is_fault(const Finding& finding) {
  const FailureClass* row = find_failure_class(finding.class_id);
  return !is_accepted(finding) && (row == nullptr || row->level == Level::fail) &&
         finding.visibility != Visibility::latent && finding.visibility != Visibility::none;
}

void add_finding(const GatePolicy& policy, const Finding& finding, Reasons& out) {
  if (finding.state == FindingState::xpass) {
    out.failed.push_back(fmt::format("{}: {} {}: {}", finding.id, finding.class_id, finding.title,
                                     finding.state_reason));
  } else if (fails(policy, finding)) {
    out.failed.push_back(sentence_of(finding));
  }
}

void add_outcome(const GatePolicy& policy, const Outcome& outcome, bool has_finding, Reasons& out) {
  std::string because = outcome.reason.empty() ? "" : ": " + outcome.reason;
  switch (outcome.status) {
    case Status::errored:
      out.internal.push_back(fmt::format("{} could not be checked{}", outcome.property, because));
      break;
    case Status::failed:
      // Findings say whether it fails the gate; a failure that nothing explains always does.
      if (!has_finding)
        out.failed.push_back(fmt::format("{} is violated{}", outcome.property, because));
      break;
    case Status::flaky:
      if (policy.fail_on_flaky) {
        out.failed.push_back(
            fmt::format("{} is violated now and then{}", outcome.property, because));
      }
      break;
    case Status::undecided:
      out.undecided.push_back(fmt::format("{} is undecided{}", outcome.property, because));
      break;
    case Status::passed:
      if (outcome.valid < policy.min_valid) {
        out.undecided.push_back(fmt::format("{}: {} valid cases, fewer than {}", outcome.property,
                                            outcome.valid, policy.min_valid));
      }
      break;
    case Status::skipped:
      break;
  }
}

/// Whether a letter may be more than one size.
bool declares_several(const AxisReport& axis) {
  return axis.declared.find(',') != std::string::npos ||
         axis.declared.find("..") != std::string::npos;
}

/// Letters that were compared at one size alone when the time was over, and what helps; empty where
/// there is none.
std::string letters_of_one_size(const RunReport& report) {
  if (report.totals.stopped_by != "time") return {};
  std::vector<std::string> letters;
  for (const AxisReport& axis : report.axes) {
    bool alone = axis.axis.is_size() && axis.sizes_tried == 1 && axis.comparisons > 0;
    if (!alone || !declares_several(axis)) continue;
    letters.push_back(fmt::format("{} of {}{} at {} alone", axis.axis.text(), axis.declared,
                                  letters.empty() ? " was compared" : "", axis.exercised));
  }
  if (letters.empty()) return {};
  return fmt::format(
      "{} when the time was over after {}: give a larger --time, or smaller sizes (--dim)",
      base::join(letters, ", "),
      report.totals.cases == 1 ? "1 case" : fmt::format("{} cases", report.totals.cases));
}

/// What the spec declares and the run did not compare often enough.
void add_scope(const GatePolicy& policy, const RunReport& report, Reasons& out) {
  if (report.totals.uncompared > policy.allow_uncompared) {
    std::string why = report.uncompared.empty() ? "" : ": " + report.uncompared.begin()->first;
    out.undecided.push_back(fmt::format("{} of {} cases were not compared{}",
                                        report.totals.uncompared, report.totals.cases, why));
  }
  auto expect = [&](const std::string& what, int64_t comparisons, const std::string& reason) {
    if (comparisons >= policy.min_valid) return;
    out.undecided.push_back(comparisons == 0 ? fmt::format("{} was declared and never compared{}{}",
                                                           what, reason.empty() ? "" : ": ", reason)
                                             : fmt::format("{}: {} comparisons, fewer than {}",
                                                           what, comparisons, policy.min_valid));
  };
  for (const AxisReport& axis : report.axes) {
    if (axis.axis.is_size()) expect(axis.axis.text(), axis.comparisons, "");
    for (const AxisReport::Word& word : axis.words) {
      expect(axis.axis.text() + " " + word.word, word.comparisons, word.reason);
    }
  }
  if (std::string late = letters_of_one_size(report); !late.empty()) {
    out.undecided.push_back(std::move(late));
  }
  for (const Outcome& outcome : report.outcomes) {
    const auto& wanted = report.spec.properties;
    bool declared = std::find(wanted.begin(), wanted.end(), outcome.property) != wanted.end();
    if (declared && outcome.status == Status::skipped) expect(outcome.property, 0, outcome.reason);
  }
}

}  // namespace

bool fails(const GatePolicy& policy, const Finding& finding) {
  if (is_accepted(finding)) return false;
  const FailureClass* row = find_failure_class(finding.class_id);
  bool benign = row != nullptr && row->level != Level::fail;
  bool asked_for = !policy.fail_classes.empty() && class_selected(policy, finding.class_id);
  if (benign && !asked_for) return false;
  auto is_failing = [&](Visibility v) { return policy.fail_on.count(v) != 0; };
  bool shows = is_failing(finding.visibility) || std::ranges::any_of(finding.elsewhere, is_failing);
  return class_selected(policy, finding.class_id) && shows;
}

GateResult decide(const GatePolicy& policy, const RunReport& report) {
  Reasons reasons;
  for (const Finding& finding : report.findings) add_finding(policy, finding, reasons);
  int64_t tried = 0;
  for (const Outcome& outcome : report.outcomes) {
    bool has_finding =
        std::any_of(report.findings.begin(), report.findings.end(),
                    [&](const Finding& f) { return f.property == outcome.property; });
    add_outcome(policy, outcome, has_finding, reasons);
    if (outcome.status != Status::skipped) ++tried;
  }
  if (tried > 0) add_scope(policy, report, reasons);
  for (const std::string& doubt : report.alone.doubts) reasons.undecided.push_back(doubt);
  if (report.totals.stopped_by == "interrupt") {
    reasons.undecided.push_back(
        fmt::format("interrupted after {} cases: the rest was not tested", report.totals.cases));
  }
  GateResult out;
  for (const Finding& finding : report.findings) {
    bool gone = finding.state == FindingState::xpass;
    if (gone || fails(policy, finding)) out.failing.push_back(finding.id);
    if (is_accepted(finding))
      out.not_gated.push_back(fmt::format("{}: {}", sentence_of(finding), finding.state_reason));
    if (gone || fails(policy, finding) || !is_fault(finding)) continue;
    bool by_class = !class_selected(policy, finding.class_id);
    out.not_gated.push_back(fmt::format("{}: {} leaves it out", sentence_of(finding),
                                        by_class ? "--fail-class" : "--fail-on"));
  }
  // A failure may come of it, so it is told whatever decides.
  if (policy.misused) out.rules = policy.misused();
  auto conclude = [&](int code, const std::vector<std::string>& why) {
    out.exit_code = code;
    out.rules.insert(out.rules.begin(), why.begin(), why.end());
  };
  if (report.outcomes.empty()) {
    conclude(exit_nothing_collected, {"there is no property to check"});
  } else if (!reasons.internal.empty()) {
    conclude(exit_internal, reasons.internal);
  } else if (!reasons.failed.empty()) {
    conclude(exit_failed, reasons.failed);
  } else if (!out.rules.empty()) {
    conclude(exit_usage, {});
  } else if (!reasons.undecided.empty()) {
    conclude(exit_undecided, reasons.undecided);
  } else if (tried == 0) {
    conclude(exit_undecided, {"every property was skipped: nothing was compared"});
  } else {
    out.passed = true;
  }
  return out;
}

}  // namespace assay::verify
