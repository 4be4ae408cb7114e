#include "verify/properties/optimization_neutral.h"

#include "verify/properties/judging.h"

namespace assay::verify {

std::string OptimizationNeutral::not_applicable(const PropertyContext& context) const {
  return context.subject->optimized ? "" : "the subject does not run in the engine";
}

Judgement OptimizationNeutral::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  Runner& optimized = *context.subject->optimized;
  out.reason = cannot_run(optimized, c);
  if (!out.reason.empty()) return out;
  Observation given = optimized.run(c);
  // There is no optimized form for such a call: no need to run the other.
  if (given.ending == Ending::not_run) {
    out.reason = given.failure ? given.failure->message : "it was not run";
    return out;
  }
  Observation expected = context.subject->runner->run(c);
  // What a call touched is observed of plain runs alone.
  given.device_usage = expected.device_usage;
  Comparison comparison =
      compare_adjudicated(given, expected, context.compare, *context.subject->runner, c);
  return judge_comparison(std::move(comparison), std::move(given), std::move(expected));
}

}  // namespace assay::verify
