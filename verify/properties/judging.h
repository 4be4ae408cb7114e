#pragma once

#include <string>

#include "verify/properties/property.h"

namespace assay::verify {

/// Why the case cannot be run by this runner, with its name before; empty if it can.
std::string cannot_run(const Runner& runner, const Case& c);

/// Turns a comparison into a verdict; the observations are kept for diagnosis.
Judgement judge_comparison(Comparison comparison, Observation subject, Observation reference);

/// Options under which only equal bits are equal.
CompareOptions exactly(CompareOptions options);

}  // namespace assay::verify
