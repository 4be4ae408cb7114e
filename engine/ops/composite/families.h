#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::ops::composite {

// The composites of each family; a family is one or more files of this folder.
std::span<const Kernel> creation_composites();
std::span<const Kernel> shape_composites();

}  // namespace assay::ops::composite
