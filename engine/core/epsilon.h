#pragma once

#include "engine/core/dtype.h"

namespace assay::core {

/// Distance from 1 to the next number of a floating type (of the parts, for complex); 0 for other
/// types.
double epsilon(DType dtype);

}  // namespace assay::core
