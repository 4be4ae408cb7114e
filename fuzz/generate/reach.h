#pragma once

#include <string>
#include <vector>

#include "verify/observation/observation.h"
#include "verify/spec/spec.h"

namespace assay::fuzz {

/// Where the export went by what its tensors held (`if x.abs().max() > 3`), numbers of usual size
/// may all lie on one side: inputs of floating numbers whose values the spec leaves open get the
/// other words of the axis, too, huge and tiny ones among them. `escapes`: what left the graph.
/// Returns the paths of the inputs whose values reach further now.
std::vector<std::string> reach_further(verify::Spec& spec,
                                       const std::vector<verify::Escape>& escapes);

}  // namespace assay::fuzz
