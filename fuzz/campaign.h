#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fuzz/budget.h"
#include "fuzz/generate/hints.h"
#include "fuzz/judge_pool.h"
#include "fuzz/key.h"
#include "verify/findings/events.h"
#include "verify/findings/failure_group.h"
#include "verify/findings/run_report.h"
#include "verify/properties/property.h"

namespace assay::fuzz {

struct CampaignOptions {
  uint64_t seed = 0;
  Budget budget;
  Hints hints;
  bool shrink = true;
  /// Judged before all others: what a database remembers, regressions. Those that lie outside the
  /// spec (or are not among a recording's cases) are passed over.
  std::vector<verify::Case> first;
  KeyOf key = failure_key;
  /// How often a failure must repeat, alike; less makes it flaky.
  int confirmations = 2;
  /// Larger cases are not run, and reported as not tested.
  int64_t max_elements = int64_t{1} << 24;
  /// Each judges cases on a thread of its own, beside the campaign's. What comes out is the same
  /// with and without them.
  std::vector<Helper> helpers;
  std::vector<verify::Listener*> listeners;
  std::function<bool()> interrupted = [] { return false; };
  Clock clock = steady_seconds;
};

struct CampaignResult {
  std::vector<verify::Outcome> outcomes;       ///< One per property, in the order given.
  std::vector<verify::FailureGroup> failures;  ///< In the order met.
  std::vector<CampaignPoint> points;           ///< Of the first 20,000 cases.
  /// What was judged and compared, by feature ("t", "mode", "layout x"): value or choice -> how
  /// often.
  std::map<std::string, std::map<std::string, int64_t>> exercised;
  /// Of cases that were drawn and not compared, by feature: value or choice -> why.
  std::map<std::string, std::map<std::string, std::string>> missed;
  std::map<std::string, int64_t> uncompared;  ///< Why cases were not compared -> how many.
  std::vector<std::string> not_tested;
  std::vector<std::string> vacuous;  ///< What was compared and says little.
  std::vector<std::pair<std::string, verify::ValueError>> errors;  ///< Largest, by place.
  /// Cases at which each property held, for diagnosis: the first ones and the last.
  std::map<std::string, std::vector<verify::Case>> right;
  verify::RunReport::Totals totals;
};

/// Judges cases of the spec by every property: first those given; then the only ones that the
/// reference has, where that is so; else the systematic probes and random points. Each new kind of
/// failure is repeated and shrunk at once, keeping its key. Equal seeds give equal sequences of
/// cases and equal results; a time budget only ends the sequence.
CampaignResult run_campaign(const verify::PropertyContext& context,
                            const std::vector<std::shared_ptr<const verify::Property>>& properties,
                            const CampaignOptions& options);

}  // namespace assay::fuzz
