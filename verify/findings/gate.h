#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "verify/findings/run_report.h"

namespace assay::verify {

/// What fails a run (conventions: default silent, loud and lenient fail; latent and benign are
/// notes).
struct GatePolicy {
  std::set<Visibility> fail_on{Visibility::silent, Visibility::loud, Visibility::lenient};
  /// Class ids or prefixes ("AS103", "AS1"): with any given, only these fail.
  std::vector<std::string> fail_classes;
  /// Fewest valid cases for each property, letter and word that the spec declares, below which the
  /// run is undecided.
  int64_t min_valid = 1;
  /// Most cases that may go uncompared (RunReport::Totals).
  int64_t allow_uncompared = 0;
  bool fail_on_flaky = true;
  /// What only the run could show to be asked for wrongly, a sentence each; null: nothing can be.
  std::function<std::vector<std::string>()> misused;
};

enum ExitCode : int {
  exit_passed = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_internal = 3,
  exit_undecided = 4,
  exit_nothing_collected = 5,
};

/// Whether this finding fails the gate under the policy.
bool fails(const GatePolicy& policy, const Finding& finding);

/// Decides from outcomes and findings. Priority when several apply: internal error (3), failed
/// (1), wrong use (2), undecided (4), passed (0). A run without properties is 5.
GateResult decide(const GatePolicy& policy, const RunReport& report);

}  // namespace assay::verify
