#pragma once

#include <string>
#include <vector>

#include "fuzz/budget.h"
#include "verify/findings/events.h"

namespace assay::fuzz {

/// Tells listeners how far a campaign is, not more often than they can use.
class ProgressReporter {
 public:
  ProgressReporter(const std::vector<verify::Listener*>& listeners, const BudgetTracker& account,
                   int64_t planned, double every_seconds = 0.5)
      : listeners_(listeners), account_(account), planned_(planned), every_(every_seconds) {}

  /// Tells if it is time to, or if `now` asks for it.
  void tell(const std::string& activity, bool now = false);

 private:
  const std::vector<verify::Listener*>& listeners_;
  const BudgetTracker& account_;
  int64_t planned_;
  double every_;
  double last_ = -1e9;
};

}  // namespace assay::fuzz
