#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "verify/findings/events.h"

namespace assay::cli {

/// Watches a run for tolerances that are given for an output that the model does not have:
/// which there are is known only where it has run.
class Tolerances : public verify::Listener {
 public:
  explicit Tolerances(const verify::Spec& spec);

  bool hears_of(const verify::Case&) const override { return asks_; }
  void case_judged(const verify::Property&, const verify::Case&,
                   const verify::Judgement& judgement) override;

  /// A sentence for each that no case had an output for; none where nothing was compared.
  std::vector<std::string> without_output() const;

 private:
  std::set<std::string> wanted_;  ///< "--atol foo": not met so far.
  std::set<std::string> places_;
  std::atomic<bool> asks_ = false;  // Whether any is left: hears_of is asked on other threads.
};

}  // namespace assay::cli
