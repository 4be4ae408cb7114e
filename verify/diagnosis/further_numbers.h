#pragma once

#include <vector>

#include "verify/diagnosis/repair.h"
#include "verify/findings/finding.h"
#include "verify/run/export.h"

namespace assay::verify::diagnosis {

/// Adds to the text of a proof the other numbers that it exchanges, here or there: the finding
/// names one of them (`h, w = map(int, x.shape)`). Each where the subject reads it first.
void name_further_numbers(const Export& subject, const std::vector<Exchange>& exchanges,
                          Finding& finding);

}  // namespace assay::verify::diagnosis
