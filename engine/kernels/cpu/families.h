#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cpu {

// The kernels of each family; a family is one or more files of this folder.
std::span<const ops::Kernel> convolution_kernels();
std::span<const ops::Kernel> embedding_kernels();
std::span<const ops::Kernel> join_kernels();
std::span<const ops::Kernel> linear_kernels();
std::span<const ops::Kernel> normalization_kernels();
std::span<const ops::Kernel> pointwise_kernels();
std::span<const ops::Kernel> pooling_kernels();
std::span<const ops::Kernel> recurrent_kernels();
std::span<const ops::Kernel> reduction_kernels();
std::span<const ops::Kernel> resampling_kernels();
std::span<const ops::Kernel> softmax_kernels();

}  // namespace assay::kernels::cpu
