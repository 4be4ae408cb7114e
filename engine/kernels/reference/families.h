#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::reference {

// The kernels of each family; a family is one or more files of this folder.
std::span<const ops::Kernel> pointwise_kernels();

}  // namespace assay::kernels::reference
