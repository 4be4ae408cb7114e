#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::kernels::reference {

/// Adds every reference kernel: scalar, obvious, accumulating in double or int64. They are the
/// oracle of the fast kernels, and the answer where there is no fast one.
void register_kernels(ops::KernelTable& table);

}  // namespace assay::kernels::reference
