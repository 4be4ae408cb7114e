#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/generate/hints.h"
#include "verify/findings/events.h"
#include "verify/findings/run_report.h"
#include "verify/run/export.h"

namespace assay::fuzz {

/// What a trace's own conditions say of the cases that are worth judging.
struct GuardCases {
  verify::RunReport::Guards report;
  /// Points at which a condition of the trace is false, one for each that can be.
  std::vector<verify::Point> points;
};

/// Conditions over sizes are solved. For those that are not (on values, on sizes of what was
/// computed) exports at some points show one at which the condition is false; null `exporter`:
/// there are no further exports. `too_late`: whether one of so many
/// seconds would end too late. Nothing where the export was not traced by assay's engine.
GuardCases guard_cases(const verify::Spec& spec, const verify::Export& exported,
                       verify::Exporter* exporter, const Hints& hints, uint64_t seed,
                       const std::function<bool(double)>& too_late);

/// Notes what came of those cases.
class GuardListener final : public verify::Listener {
 public:
  explicit GuardListener(GuardCases& cases) : cases_(cases) {}
  bool hears_of(const verify::Case& c) const override;
  void case_judged(const verify::Property& property, const verify::Case& c,
                   const verify::Judgement& judgement) override;

 private:
  GuardCases& cases_;
};

}  // namespace assay::fuzz
