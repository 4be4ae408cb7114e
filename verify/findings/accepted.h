#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/findings/finding.h"

namespace assay::verify {

/// A fault that a team knows of, and that does not fail the gate. It is recognized by its
/// fingerprint, which survives edits of other lines.
struct Accepted {
  std::string fingerprint;
  /// `known`: an earlier report has it. `xfail`: a list gives the reason; such a fault has to show,
  /// or the entry is to go.
  FindingState state = FindingState::known;
  std::string class_id;    ///< "AS102"; may be empty.
  std::string reason;      ///< "fixed in the next release (Ann)"; empty of an earlier report.
  std::string first_seen;  ///< Of an earlier report: when that, or one before it, saw it.
  std::string expires;     ///< "2026-12-31": the last day on which it is accepted; empty: no end.
  std::string file;        ///< That says so.
};

/// The findings of an earlier run's JSON report (reports/report.schema.json). `name` is the file,
/// for messages. Input error if it is no such report.
std::vector<Accepted> accepted_by_report(std::string_view text, const std::string& name);
/// A JSON list of {"fingerprint", "reason", "class"?, "owner"?, "expires"?}; input error that names
/// the entry if it is not of that form.
std::vector<Accepted> accepted_by_list(std::string_view text, const std::string& name);

/// Sets the state of a finding that is among the accepted, and why; `today` ("2026-11-24") decides
/// what has expired: such a finding is new, and says so.
void mark_accepted(const std::vector<Accepted>& accepted, const std::string& today,
                   Finding& finding);
/// For each fault of a list that none of a whole run's findings is, a finding that says so
/// (FindingState::xpass).
std::vector<Finding> no_longer_failing(const std::vector<Accepted>& accepted,
                                       const std::vector<Finding>& findings);

}  // namespace assay::verify
