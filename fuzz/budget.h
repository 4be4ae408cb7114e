#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace assay::fuzz {

/// What a campaign may spend. Hitting a budget is always reported.
/// As max_examples: time, findings or the user end the campaign.
constexpr int64_t unlimited = int64_t{1} << 40;

struct Budget {
  int64_t max_examples = 200;  ///< Cases, or `unlimited`; each is judged by every property.
  double max_seconds = 0;      ///< 0: no limit.
  /// Of the time, for cases once one fails: a cause tells more than further cases that have it. Of
  /// what is left then, half is for making a failure small.
  double share_once_failing = 0.5;
  int64_t max_shrinks = 500;  ///< Per failure.
  double max_shrink_seconds = 300;
  int64_t max_failures = 64;  ///< Distinct ones, after which nothing new is looked for.
  bool fail_fast = false;     ///< Stop at the first failure, shrunk.
};

/// Seconds since some fixed moment; steady.
using Clock = std::function<double()>;
double steady_seconds();

/// Keeps account of one campaign against its budget.
class BudgetTracker {
 public:
  BudgetTracker(const Budget& budget, Clock clock, std::function<bool()> interrupted);

  /// Cases are judged from here on until they are added.
  void begin_cases();
  void add_cases(int64_t count);
  void add_failure() { ++failures_; }
  int64_t cases() const { return cases_; }
  int64_t failures() const { return failures_; }
  double seconds() const { return clock_() - start_; }
  /// What ends the campaign now: "interrupt", "findings", "examples", "time"; empty: go on. Time is
  /// over, too, where another case as long as the longest so far would end well after it, and
  /// where causes are to be found in the rest.
  std::string stopped_by() const;
  /// Whether so many further cases, each as long as the longest so far, end in time or little
  /// later.
  bool has_time_for(int64_t cases) const;
  /// Estimate from whichever limit comes first; 0 where unknown.
  double seconds_left() const;
  /// For one shrinking: true once its time, half of the campaign's that is left or the user's
  /// patience is over.
  std::function<bool()> shrink_stop() const;

 private:
  /// Seconds that cases may take.
  double for_cases() const {
    return budget_.max_seconds * (failures_ > 0 ? budget_.share_once_failing : 1);
  }

  Budget budget_;
  Clock clock_;
  std::function<bool()> interrupted_;
  double start_;
  double begun_ = 0, longest_case_ = 0;  // Of cases; kept where time is limited.
  int64_t cases_ = 0;
  int64_t failures_ = 0;
};

}  // namespace assay::fuzz
