#include "reports/verdict.h"

#include <algorithm>

#include "engine/base/text.h"
#include "verify/findings/gate.h"

namespace assay::reports {

using namespace verify;  // NOLINT: this file tells what verify found.

namespace {

std::string name_of(const FeatureAxis& axis) {
  return axis.letter.empty() ? axis.text() : axis.letter;
}

bool is_varied(const AxisReport& axis) {
  return !axis.exercised.empty() && axis.verdict != "not varied";
}

/// Where the faults show: each boundary once.
std::string wrong_where(const RunReport& r) {
  std::vector<std::string> parts;
  auto say = [&](const std::string& text) {
    if (std::find(parts.begin(), parts.end(), text) == parts.end()) parts.push_back(text);
  };
  for (const Finding& f : r.findings) {
    bool measured = false;
    for (const Boundary& b : f.boundaries) {
      if (b.text().empty()) continue;
      say(b.text());
      measured = true;
    }
    if (!measured) say("fails by " + f.axis.text());
  }
  constexpr size_t most = 3;
  if (parts.size() > most) {
    size_t left = parts.size() - most;
    parts.resize(most);
    parts.push_back(base::cat("and ", left, " more"));
  }
  return base::join(parts, "; ");
}

std::string count_of(size_t n, const char* one, const char* many) {
  return base::cat(n, " ", n == 1 ? one : many);
}

}  // namespace

std::string varied_scope(const RunReport& r) {
  std::vector<std::string> parts;
  for (const AxisReport& a : r.axes) {
    if (is_varied(a)) parts.push_back(name_of(a.axis) + " " + a.exercised);
  }
  return base::join(parts, "; ");
}

std::string fixed_scope(const RunReport& r) {
  std::vector<std::string> parts;
  for (const AxisReport& a : r.axes) {
    if (a.verdict == "not varied") parts.push_back(name_of(a.axis) + " " + a.exercised);
  }
  return base::join(parts, ", ");
}

std::string verdict_sentence(const RunReport& r) {
  std::string subject = r.model.name, reference = r.reference;
  std::string out;
  if (r.gate.exit_code == exit_undecided || r.gate.exit_code == exit_nothing_collected) {
    out = "Nothing can be said of " + subject;
    if (!r.gate.rules.empty()) out += ": " + r.gate.rules[0];
  } else if (r.gate.exit_code == exit_internal) {
    out = base::cat("The check of ", subject, " failed itself");
    if (!r.gate.rules.empty()) out += ": " + r.gate.rules[0];
  } else if (!r.findings.empty()) {
    out = base::cat(subject, " does not agree with ", reference, " (",
                    count_of(r.findings.size(), "finding", "findings"), "): ", wrong_where(r));
  } else if (!r.gate.passed) {
    out = base::cat(subject, " is not accepted: ", base::join(r.gate.rules, "; "));
  } else {
    out = base::cat(subject, " agreed with ", reference, " in all ",
                    count_of(static_cast<size_t>(r.totals.valid), "case", "cases"), " compared");
    std::string varied = varied_scope(r);
    if (!varied.empty()) out += ": " + varied;
  }
  return out + ".";
}

}  // namespace assay::reports
