#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cuda {

// Own kernels, which can be compiled for the host, too.
std::span<const ops::Kernel> copy_kernels();

}  // namespace assay::kernels::cuda
