#include "verify/properties/judging.h"

#include <fmt/core.h>

#include <algorithm>

namespace assay::verify {

namespace {

/// The engine failed at something that no program may make it fail at. An operator that it lacks
/// is no such thing: then the case is not tested.
bool engine_fault(const Observation& run) {
  return run.ending == Ending::not_run && run.failure && run.failure->type == "internal";
}

bool may_be_rounding(const Comparison& comparison) {
  return !comparison.differences.empty() &&
         std::ranges::all_of(comparison.differences, &Difference::adjudicable);
}

/// Whether more runs could explain what is left: no difference is many times what is allowed.
bool is_near(const Comparison& comparison) {
  constexpr double near = 8;
  return std::ranges::all_of(comparison.differences, [](const Difference& d) {
    return d.values && d.values->excess <= near;
  });
}

}  // namespace

std::string cannot_run(const Runner& runner, const Case& c) {
  std::string why = runner.cannot_run(c);
  return why.empty() ? why : fmt::format("{}: {}", runner.name(), why);
}

Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options,
                               const std::function<std::optional<Observation>(uint64_t)>& rounded) {
  constexpr uint64_t few_runs = 6, most_runs = 24;
  Comparison comparison = compare(given, expected, options);
  Spread spread;
  CompareOptions with_spread = options;
  with_spread.spread = &spread;
  // Each run can only widen the spread: what a few explain needs no more of them.
  for (uint64_t draw = 1; draw <= most_runs && may_be_rounding(comparison); ++draw) {
    // Of a million elements, some hardly move in six runs by chance; what is far off stays so.
    if (draw > few_runs && !is_near(comparison)) break;
    std::optional<Observation> moved = rounded(draw);
    if (!moved) break;
    spread.add(given, *moved);
    comparison = compare(given, expected, with_spread);
  }
  return comparison;
}

Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options, Runner& runner, const Case& c) {
  return compare_adjudicated(given, expected, options,
                             [&](uint64_t draw) { return runner.run_rounded(c, draw); });
}

Judgement judge_comparison(Comparison comparison, Observation subject, Observation reference) {
  Judgement out;
  out.reason = comparison.reason;
  switch (comparison.verdict) {
    case Comparison::Verdict::agree:
      out.verdict = Judgement::Verdict::holds;
      break;
    case Comparison::Verdict::differ:
      out.verdict = Judgement::Verdict::violated;
      break;
    case Comparison::Verdict::rejected:
      out.verdict = Judgement::Verdict::discarded;
      break;
    case Comparison::Verdict::nothing:
      bool fault = reference.ending == Ending::invalid_reply || engine_fault(subject);
      out.verdict = fault ? Judgement::Verdict::errored : Judgement::Verdict::not_tested;
  }
  out.comparison = std::move(comparison);
  out.subject = std::move(subject);
  out.reference = std::move(reference);
  return out;
}

CompareOptions exactly(CompareOptions options) {
  options.bounds.atol = {{"*", 0}};
  options.bounds.rtol = {{"*", 0}};
  return options;
}

}  // namespace assay::verify
