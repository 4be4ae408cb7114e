#pragma once

#include <string>
#include <vector>

#include "verify/run/export.h"
#include "verify/spec/spec.h"

namespace assay::fuzz {

/// Where an export went by what its tensors held (`if x.abs().max() > 3`), numbers of usual size
/// may all lie on one side. If numbers left the graph, exports the model again at its example's
/// sizes with each word of the axis `values` that is not among the usual ones (huge, tiny, ...).
/// Those at which it goes another way are added for the inputs of floating numbers whose values the
/// spec leaves open; NaN and infinities where that way is theirs alone, or the model refuses them.
/// Returns these words.
std::vector<std::string> reach_further(verify::Spec& spec, const verify::Export& subject,
                                       verify::Exporter& exporter);

}  // namespace assay::fuzz
