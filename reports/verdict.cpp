#include "reports/verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

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
    parts.push_back(fmt::format("and {} more", left));
  }
  return base::join(parts, "; ");
}

std::string count_of(size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::string adjudicated_text(const RunReport& r) {
  if (r.adjudicated_difference == 0) return {};
  return fmt::format("(elements; largest difference {:.3g}, where rounding alone moves {:.3g})",
                     r.adjudicated_difference, r.adjudicated_spread);
}

std::string in_pytorch_text(const RunReport& r) {
  const RunReport::InPytorch& also = r.in_pytorch;
  if (also.host.empty() || also.passing == 0) return {};
  std::string out =
      fmt::format("{} of {} passing cases also run by {}", also.run, also.passing, also.host);
  if (also.run > 0) out += ": all agree";
  if (!also.reason.empty()) out += "; it did not run all that it was asked to: " + also.reason;
  return out;
}

std::string alone_text(const RunReport& r) {
  if (!r.alone.is) return {};
  static const std::map<std::string, std::string_view> laws{
      {"domain_accepted", "it takes every declared input"},
      {"deterministic", "it repeats itself bit for bit"},
      {"device_portable", "it gives the same on every declared device"},
      {"optimization_neutral", "its optimized form gives the same"},
      {"batch_independent", "its rows do not see each other"}};
  std::vector<std::string> parts;
  for (const Outcome& o : r.outcomes) {
    auto law = laws.find(o.property);
    if (o.status == Status::passed && law != laws.end())
      parts.push_back(fmt::format("{} ({} cases)", law->second, o.valid));
  }
  parts.push_back(r.alone.signs == 0 ? "assay lint sees no sign of a fault"
                                     : fmt::format("assay lint sees {}",
                                                   count_of(r.alone.signs, "sign", "signs")));
  return base::join(parts, "; ") +
         ". Whether it computes what its model computes was not tested: --against a recording or a "
         "scripted archive tells, or a check of the model itself";
}

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
    out = fmt::format("The check of {} failed itself", subject);
    if (!r.gate.rules.empty()) out += ": " + r.gate.rules[0];
  } else if (!r.findings.empty()) {
    out = fmt::format("{} does not agree with {} ({}): {}", subject, reference,
                      count_of(r.findings.size(), "finding", "findings"), wrong_where(r));
    if (r.gate.passed && !r.gate.not_gated.empty()) {
      out += "; the gate was told to let that pass";
    }
  } else if (!r.gate.passed) {
    out = fmt::format("{} is not accepted: {}", subject, base::join(r.gate.rules, "; "));
  } else {
    out = fmt::format("{} agreed with {} in all {} compared", subject, reference,
                      count_of(static_cast<size_t>(r.totals.valid), "case", "cases"));
    if (r.alone.is) {
      out = fmt::format("{}, without a model to hold it against, ran in all {}", subject,
                        count_of(static_cast<size_t>(r.totals.valid), "case", "cases"));
    }
    std::string varied = varied_scope(r);
    if (!varied.empty()) out += ": " + varied;
  }
  return out + ".";
}

}  // namespace assay::reports
