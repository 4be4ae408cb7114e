#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cuda {

/// Adds assay's own kernels for GPUs, which can be compiled for the host, too.
void add_own_kernels(ops::KernelTable& table);

}  // namespace assay::kernels::cuda
