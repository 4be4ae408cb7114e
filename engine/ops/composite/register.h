#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::ops::composite {

/// Adds the operators that are defined by other operators; they run on every device.
void register_kernels(KernelTable& table);

}  // namespace assay::ops::composite
