#include "verify/properties/judging.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace assay::verify {

namespace {

/// The engine failed at something that no program may make it fail at. An operator that it lacks
/// is no such thing: then the case is not tested.
bool engine_fault(const Observation& run) {
  return run.ending == Ending::not_run && run.failure && run.failure->type == "internal";
}

/// Whether all differences in values are such. What no graph keeps, a model's state and the
/// engine's strides, has nothing to do with them.
bool may_be_rounding(const Comparison& comparison) {
  auto apart = [](const Difference& d) {
    return d.layer == Layer::state || d.layer == Layer::strides;
  };
  return std::ranges::any_of(comparison.differences, &Difference::adjudicable) &&
         std::ranges::all_of(comparison.differences,
                             [&](const Difference& d) { return d.adjudicable || apart(d); });
}

/// Whether no difference is more than so many times what is allowed.
bool is_within(const Comparison& comparison, double times) {
  return std::ranges::all_of(comparison.differences, [&](const Difference& d) {
    return d.values && d.values->excess <= times;
  });
}

/// Whether a difference is so many times what is allowed; where nothing is allowed that says
/// little.
bool is_beyond(const Comparison& comparison, double times) {
  return std::ranges::any_of(comparison.differences, [&](const Difference& d) {
    return d.values && std::isfinite(d.values->excess) && d.values->excess > times;
  });
}

/// Whether rounding was found to explain differences that nobody takes for such: a hundredth, or,
/// of outputs in double precision, what only single precision within would make of them.
bool excuses_much(const Comparison& comparison) {
  static constexpr double absolute = 1e-3, relative = 1e-2;
  static constexpr double many = 500;  // Bounds.
  return comparison.agrees() && std::ranges::any_of(comparison.errors, [](const auto& at) {
           const ValueError& e = at.second;
           double bounds = many * e.bound.rtol;
           return e.adjudicated > 0 && e.max_abs > std::min(absolute, bounds) &&
                  e.max_rel > std::min(relative, 10 * bounds);
         });
}

/// So many times its spread over some runs an element is moved with a chance of one in a million:
/// that all of them move it by less than 1/t of a deviation has the chance (0.8 / t) ^ runs.
double hardly_beyond(uint64_t runs) {
  return 0.8 / std::pow(6.4e-7, 1 / static_cast<double>(runs));
}

/// Whether one more run with random rounding can tell anything, after so many. Of a million
/// elements some hardly move in a few runs by chance; what is far off stays so.
bool is_worth_a_run(const Comparison& comparison, uint64_t runs) {
  constexpr uint64_t fewest = 2, few = 6, most = 24;
  if (runs < fewest) return true;
  if (runs < few) return !is_beyond(comparison, hardly_beyond(runs));
  return runs < most && is_within(comparison, 8);
}

}  // namespace

std::string cannot_run(const Runner& runner, const Case& c) {
  std::string why = runner.cannot_run(c);
  return why.empty() ? why : fmt::format("{}: {}", runner.name(), why);
}

bool rounding_excuses(const Subject& subject, const Case& c) {
  return !subject.narrower || c.setting("autocast") == "on";
}

Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options,
                               const std::function<std::optional<RoundedRun>(uint64_t)>& rounded) {
  Comparison comparison = compare(given, expected, options);
  Spread spread;
  CompareOptions with_spread = options;
  with_spread.spread = &spread;
  // Each run can only widen the spread: what a few explain needs no more of them.
  for (uint64_t runs = 0; may_be_rounding(comparison) && is_worth_a_run(comparison, runs); ++runs) {
    std::optional<RoundedRun> moved = rounded(runs + 1);
    if (!moved) break;
    spread.add(moved->plain ? *moved->plain : given, moved->run);
    comparison = compare(given, expected, with_spread);
  }
  return comparison;
}

Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options, Runner& runner, const Case& c) {
  return compare_adjudicated(given, expected, options,
                             [&](uint64_t draw) { return runner.run_rounded(c, draw); });
}

Comparison doubt_excuse(Comparison excused, const Observation& given, const Observation& expected,
                        const PropertyContext& context, const Case& c) {
  if (!context.exporter || !excuses_much(excused)) return excused;
  ExportResult made = context.exporter->export_at(c, false);
  if (!made.exported) return excused;
  auto there = made.exported->run_with(made.exported->program().graph->copy());
  Observation plain = there->run(c);
  if (!compare(plain, expected, context.compare).agrees()) return excused;
  return compare_adjudicated(given, expected, context.compare, [&](uint64_t draw) {
    std::optional<RoundedRun> moved = there->run_rounded(c, draw);
    if (moved && !moved->plain) moved->plain = plain;
    return moved;
  });
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
