#pragma once

#include "engine/core/type.h"

namespace assay::ir {

/// The type without what only describes tensors (element types, sizes, strides, devices): what a
/// signature says. Named tuples stay as they are.
core::TypePtr unshaped(const core::TypePtr& type);

}  // namespace assay::ir
