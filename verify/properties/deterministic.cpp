#include "verify/properties/deterministic.h"

#include "verify/properties/judging.h"

namespace assay::verify {

Judgement Deterministic::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  Runner& runner = *context.subject->runner;
  out.reason = cannot_run(runner, c);
  if (!out.reason.empty()) return out;
  Observation first = runner.run(c);
  Observation second = runner.run(c);
  Comparison comparison = compare(second, first, exactly(context.compare));
  return judge_comparison(std::move(comparison), std::move(second), std::move(first));
}

}  // namespace assay::verify
