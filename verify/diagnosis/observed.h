#pragma once

#include <string>

#include "verify/findings/finding.h"
#include "verify/properties/property.h"

namespace assay::verify::diagnosis {

/// The class that the two observations alone speak for, where no graphs could be compared.
/// `reexported`: another export of the model is the same graph, so tracing missed nothing that it
/// could see. Differences within a thousand times the bound then count as numeric drift (AS117);
/// larger ones never, for drift does not fail the gate.
std::string observed_class(const Judgement& judgement, const FeatureAxis& axis, bool reexported);

}  // namespace assay::verify::diagnosis
