#pragma once

#include "verify/compare/walk.h"

namespace assay::verify::compare_detail {

/// Which outputs and arguments share memory. State is left out: an export's parameters have other
/// names than the module's.
void compare_aliases(const Observation& subject, const Observation& reference, Collector& out);

}  // namespace assay::verify::compare_detail
