#include "verify/properties/domain_accepted.h"

#include "verify/properties/judging.h"

namespace assay::verify {

std::string DomainAccepted::not_applicable(const PropertyContext& context) const {
  return context.reference ? "the reference says what is to be accepted" : "";
}

Judgement DomainAccepted::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  Runner& runner = *context.subject->runner;
  out.reason = cannot_run(runner, c);
  if (!out.reason.empty()) return out;
  Observation given = runner.run(c);
  Observation wanted = given;
  wanted.ending = Ending::returned;
  wanted.failure.reset();
  Comparison comparison = compare(given, wanted, exactly(context.compare));
  for (Difference& d : comparison.differences) {
    if (d.layer == Layer::ending) d.reference = "an answer: the spec declares this input";
  }
  return judge_comparison(std::move(comparison), std::move(given), std::move(wanted));
}

}  // namespace assay::verify
