#pragma once

#include <cstdint>
#include <string>

#include "verify/findings/finding.h"
#include "verify/findings/run_report.h"
#include "verify/properties/property.h"

namespace assay::verify {

/// How far a campaign is.
struct Progress {
  int64_t cases = 0;
  int64_t planned = 0;   ///< 0 where only time limits it.
  int64_t failures = 0;  ///< Distinct ones so far.
  double seconds = 0;
  double seconds_left = 0;  ///< Estimated from whichever budget ends first; 0 where unknown.
  std::string activity;     ///< "cases", "shrinking", "diagnosing".
};

/// Told of what happens in a run, in order, on one thread, but for `hears_of`. An implementation
/// must not throw (but for an input error that ends the run: a file that cannot be written) and
/// must not change what it is given; everything that it does not override is ignored.
class Listener {
 public:
  virtual ~Listener() = default;
  /// Filled as far as it is known before the first case: tool, run, model, spec.
  virtual void run_started(const RunReport&) {}
  /// Whether case_judged is called for this case. Asked on any thread, while others ask as well:
  /// most cases of a campaign are only counted, on the thread that ran them.
  virtual bool hears_of(const Case&) const { return false; }
  virtual void case_judged(const Property&, const Case&, const Judgement&) {}
  /// A failure of a kind (key) not met before.
  virtual void failure_found(const Property&, const Case&, const Judgement&,
                             const std::string& /*key*/) {}
  /// A smaller case with the same key.
  virtual void failure_shrunk(const Property&, const Case&, const std::string& /*key*/) {}
  virtual void finding(const Finding&) {}
  virtual void progress(const Progress&) {}
  /// Something a user should know: a host restarted, a budget hit.
  virtual void message(const std::string&) {}
  virtual void run_finished(const RunReport&) {}
};

}  // namespace assay::verify
