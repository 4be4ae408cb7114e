#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cuda {

/// Adds the kernels of NVIDIA GPUs.
void register_kernels(ops::KernelTable& table);

}  // namespace assay::kernels::cuda
