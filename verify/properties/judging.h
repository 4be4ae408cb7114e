#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "verify/properties/property.h"

namespace assay::verify {

/// Why the case cannot be run by this runner, with its name before; empty if it can.
std::string cannot_run(const Runner& runner, const Case& c);

/// Whether rounding may explain what the subject gives otherwise than its reference.
bool rounding_excuses(const Subject& subject, const Case& c);

/// Asks the model itself whether rounding excuses a large difference: where an export made at the
/// very case gives what was expected, only as much as rounding moves that. A fault may compute what
/// rounding moves anywhere (a softmax over a row that is masked as a whole), and the model not.
Comparison doubt_excuse(Comparison excused, const Observation& given, const Observation& expected,
                        const PropertyContext& context, const Case& c);

/// Compares what a run of a case gave with what was expected. Elements beyond their bound are
/// adjudicated: `rounded` gives the same run with operators rounded at random, and what of the
/// difference lies within the spread of such runs is rounding's. It is asked a few times at most
/// (more often where it nearly explains all), and only where a difference of values is all that
/// stands between the two.
Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options,
                               const std::function<std::optional<RoundedRun>(uint64_t)>& rounded);
/// The same where the runner runs the case as it is.
Comparison compare_adjudicated(const Observation& given, const Observation& expected,
                               const CompareOptions& options, Runner& runner, const Case& c);

/// Turns a comparison into a verdict; the observations are kept for diagnosis.
Judgement judge_comparison(Comparison comparison, Observation subject, Observation reference);

/// Options under which only equal bits are equal.
CompareOptions exactly(CompareOptions options);

}  // namespace assay::verify
