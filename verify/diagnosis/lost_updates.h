#pragma once

#include <optional>
#include <vector>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {

/// Makes AS110 of steps that were taken for a branch's, in a subject that was exported out of
/// place: each in-place operator became the one that gives a new tensor, so that what writes to a
/// part of another tensor is lost. Such a subject writes nowhere, and the model does even where
/// nothing is wrong: at `right`, a case that holds, or in all of the view's variants if there is
/// none.
void name_lost_updates(const ExportDiff& view, Exporter& exporter, const std::optional<Case>& right,
                       std::vector<Attribution>& found);

}  // namespace assay::verify::diagnosis
