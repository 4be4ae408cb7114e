#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::reference {

// The kernels of each family; a family is one or more files of this folder.
std::span<const ops::Kernel> activation_kernels();
std::span<const ops::Kernel> angle_kernels();
std::span<const ops::Kernel> attention_kernels();
std::span<const ops::Kernel> airy_kernels();
std::span<const ops::Kernel> bound_kernels();
std::span<const ops::Kernel> comparison_kernels();
std::span<const ops::Kernel> convolution_kernels();
std::span<const ops::Kernel> copy_kernels();
std::span<const ops::Kernel> creation_kernels();
std::span<const ops::Kernel> ctc_kernels();
std::span<const ops::Kernel> deformable_kernels();
std::span<const ops::Kernel> decomposition_kernels();
std::span<const ops::Kernel> detection_kernels();
std::span<const ops::Kernel> distance_kernels();
std::span<const ops::Kernel> embedding_kernels();
std::span<const ops::Kernel> extreme_kernels();
std::span<const ops::Kernel> factorization_kernels();
std::span<const ops::Kernel> fourier_kernels();
std::span<const ops::Kernel> function_kernels();
std::span<const ops::Kernel> grid_sampling_kernels();
std::span<const ops::Kernel> histogram_kernels();
std::span<const ops::Kernel> indexing_kernels();
std::span<const ops::Kernel> join_kernels();
std::span<const ops::Kernel> linear_kernels();
std::span<const ops::Kernel> loss_kernels();
std::span<const ops::Kernel> normalization_kernels();
std::span<const ops::Kernel> packed_sequence_kernels();
std::span<const ops::Kernel> padding_kernels();
std::span<const ops::Kernel> pointwise_kernels();
std::span<const ops::Kernel> pooling_kernels();
std::span<const ops::Kernel> quantization_kernels();
std::span<const ops::Kernel> random_activation_kernels();
std::span<const ops::Kernel> random_kernels();
std::span<const ops::Kernel> recurrent_kernels();
std::span<const ops::Kernel> region_kernels();
std::span<const ops::Kernel> resampling_kernels();
std::span<const ops::Kernel> rounding_kernels();
std::span<const ops::Kernel> sampling_kernels();
std::span<const ops::Kernel> scan_kernels();
std::span<const ops::Kernel> scatter_kernels();
std::span<const ops::Kernel> segment_kernels();
std::span<const ops::Kernel> special_kernels();
std::span<const ops::Kernel> sum_kernels();
std::span<const ops::Kernel> unique_kernels();

}  // namespace assay::kernels::reference
