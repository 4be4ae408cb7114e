#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cuda {

/// Adds operators that run on the host although their tensors are on a GPU: each is named in
/// hosted.cpp, where it is said why. Their arguments are copied, and the device waits; the ledger
/// of devices counts both.
void add_hosted_kernels(ops::KernelTable& table);

}  // namespace assay::kernels::cuda
