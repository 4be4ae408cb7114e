#pragma once

#include "verify/findings/finding.h"
#include "verify/properties/property.h"

namespace assay::verify::diagnosis {

/// Names the line that switches gradients off in the model and not in the export: with this line
/// doing nothing, the model's gradients are the export's, at the finding's smallest case. Where
/// several lines do it together, the first of them, and the others in notes.
void place_switch(Finding& finding, const PropertyContext& context);

}  // namespace assay::verify::diagnosis
