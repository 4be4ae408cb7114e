#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cpu {

/// Adds the fast host kernels: oneDNN and vectorized loops.
void register_kernels(ops::KernelTable& table);

}  // namespace assay::kernels::cpu
