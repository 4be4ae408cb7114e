#include "fuzz/budget.h"

#include <algorithm>
#include <chrono>

namespace assay::fuzz {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

BudgetTracker::BudgetTracker(const Budget& budget, Clock clock, std::function<bool()> interrupted)
    : budget_(budget),
      clock_(clock ? std::move(clock) : Clock(steady_seconds)),
      interrupted_(std::move(interrupted)),
      start_(clock_()) {}

void BudgetTracker::begin_cases() {
  if (budget_.max_seconds > 0) begun_ = seconds();
}

void BudgetTracker::add_cases(int64_t count) {
  cases_ += count;
  if (budget_.max_seconds <= 0 || count == 0) return;
  longest_case_ = std::max(longest_case_, (seconds() - begun_) / static_cast<double>(count));
}

std::string BudgetTracker::stopped_by() const {
  if (interrupted_ && interrupted_()) return "interrupt";
  if (failures_ >= (budget_.fail_fast ? 1 : budget_.max_failures)) return "findings";
  if (cases_ >= budget_.max_examples) return "examples";
  return has_time_for(1) ? "" : "time";
}

bool BudgetTracker::has_time_for(int64_t cases) const {
  constexpr double slack = 1.1;
  double most = for_cases();
  if (most <= 0) return true;
  double spent = seconds();
  return spent < most && spent + static_cast<double>(cases) * longest_case_ <= slack * most;
}

double BudgetTracker::seconds_left() const {
  double spent = seconds();
  double left = std::max(0.0, for_cases() - spent);
  if (cases_ == 0) return left;
  double by_cases = spent / static_cast<double>(cases_) *
                    static_cast<double>(std::max<int64_t>(0, budget_.max_examples - cases_));
  return budget_.max_seconds > 0 ? std::min(left, by_cases) : by_cases;
}

std::function<bool()> BudgetTracker::shrink_stop() const {
  double most = budget_.max_shrink_seconds, begin = seconds();
  if (budget_.max_seconds > 0) most = std::min(most, (budget_.max_seconds - begin) / 2);
  return
      [this, end = begin + most] { return (interrupted_ && interrupted_()) || seconds() >= end; };
}

}  // namespace assay::fuzz
