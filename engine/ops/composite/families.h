#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::ops::composite {

// The composites of each family; a family is one or more files of this folder.

}  // namespace assay::ops::composite
