#pragma once

#include <map>
#include <string>

#include "engine/core/shape.h"
#include "verify/graph/program.h"
#include "verify/run/engine_export.h"

namespace assay::verify {

/// How many units in the last place of the largest element a program's arithmetic can differ by
/// when another implementation runs it: the sum over its steps of what each operator's numeric
/// class allows. A reassociating operator counts the square root of its reduction length (errors of
/// either sign mostly cancel), which is taken from the weight it reads. At least 16; this is
/// BoundRule::growth.
/// `weights`: sizes of parameters and buffers by path.
double growth_of(const Program& program, const std::map<std::string, core::Dims>& weights);

/// The same for an archive, with the sizes of its own weights.
double growth_of(const EngineExport& exported);

}  // namespace assay::verify
