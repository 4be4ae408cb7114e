#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cpu {

// The kernels of each family; a family is one or more files of this folder.

}  // namespace assay::kernels::cpu
