#include "verify/properties/parity.h"

#include <string>

#include "engine/base/text.h"
#include "verify/properties/judging.h"

namespace assay::verify {

namespace {

bool only_values_differ(const Comparison& comparison) {
  const Difference* headline = comparison.headline();
  return headline != nullptr && headline->layer == Layer::values;
}

/// Whether the subject gives the same under another seed of its generator, too: it draws nothing.
bool draws_nothing(Runner& subject, const Case& c, const Observation& given,
                   const CompareOptions& options) {
  Case otherwise = c;
  otherwise.point.choices["seed"] = std::to_string(c.model_seed() + 1);
  return compare(subject.run(otherwise), given, options).agrees();
}

}  // namespace

std::string Parity::not_applicable(const PropertyContext& context) const {
  return context.reference ? "" : "there is no reference";
}

bool Parity::concerns(const PropertyContext& context, const Case& c) const {
  const Runner& reference = *context.reference->runner;
  return !reference.only_cases() || reference.cannot_run(c).empty();
}

Judgement Parity::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  out.of_reference = true;
  Runner& reference = *context.reference->runner;
  for (const Runner* runner : {context.subject->runner.get(), &reference}) {
    out.reason = cannot_run(*runner, c);
    if (!out.reason.empty()) return out;
  }
  Observation expected = reference.run(c);
  Runner& subject = *context.subject->runner;
  Observation given = subject.run(c);
  bool excused = rounding_excuses(*context.subject, c);
  Comparison comparison = excused
                              ? compare_adjudicated(given, expected, context.compare, subject, c)
                              : compare(given, expected, context.compare);
  comparison = doubt_excuse(std::move(comparison), given, expected, context, c);
  // The cheap question first: most cases hold, and then nobody asks the reference twice.
  if (only_values_differ(comparison)) {
    Observation again = reference.run(c);
    bool contradicts = !compare(again, expected, context.compare).agrees();
    // What the model asks anew in each call (a clock), the export has fixed: that is a difference.
    if (contradicts && !draws_nothing(subject, c, given, context.compare)) {
      out.reason = "AS116: the reference gives other values when it is asked again";
      return out;
    }
  }
  out = judge_comparison(std::move(comparison), std::move(given), std::move(expected));
  out.of_reference = true;
  return out;
}

}  // namespace assay::verify
