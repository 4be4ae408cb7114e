#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::kernels::cuda {

// Own kernels, which can be compiled for the host, too.
std::span<const ops::Kernel> activation_kernels();
std::span<const ops::Kernel> angle_kernels();
std::span<const ops::Kernel> arithmetic_kernels();
std::span<const ops::Kernel> attention_kernels();
std::span<const ops::Kernel> channel_kernels();
std::span<const ops::Kernel> choice_kernels();
std::span<const ops::Kernel> clamp_kernels();
std::span<const ops::Kernel> comparison_kernels();
std::span<const ops::Kernel> convolution_kernels();
std::span<const ops::Kernel> copy_kernels();
std::span<const ops::Kernel> creation_kernels();
std::span<const ops::Kernel> decomposition_kernels();
std::span<const ops::Kernel> deformable_kernels();
std::span<const ops::Kernel> detection_kernels();
std::span<const ops::Kernel> distance_kernels();
std::span<const ops::Kernel> dot_product_attention_kernels();
std::span<const ops::Kernel> dropout_kernels();
std::span<const ops::Kernel> element_product_kernels();
std::span<const ops::Kernel> embedding_kernels();
std::span<const ops::Kernel> extreme_kernels();
std::span<const ops::Kernel> factorization_kernels();
std::span<const ops::Kernel> fourier_kernels();
std::span<const ops::Kernel> function_kernels();
std::span<const ops::Kernel> grid_sampling_kernels();
std::span<const ops::Kernel> histogram_kernels();
std::span<const ops::Kernel> indexing_kernels();
std::span<const ops::Kernel> join_kernels();
std::span<const ops::Kernel> loss_kernels();
std::span<const ops::Kernel> mask_kernels();
std::span<const ops::Kernel> membership_kernels();
std::span<const ops::Kernel> moment_kernels();
std::span<const ops::Kernel> normalization_kernels();
std::span<const ops::Kernel> packed_sequence_kernels();
std::span<const ops::Kernel> padding_kernels();
std::span<const ops::Kernel> pooling_kernels();
std::span<const ops::Kernel> product_kernels();
std::span<const ops::Kernel> quantile_kernels();
std::span<const ops::Kernel> quantization_kernels();
std::span<const ops::Kernel> random_activation_kernels();
std::span<const ops::Kernel> random_choice_kernels();
std::span<const ops::Kernel> random_kernels();
std::span<const ops::Kernel> range_kernels();
std::span<const ops::Kernel> recurrent_kernels();
std::span<const ops::Kernel> region_kernels();
std::span<const ops::Kernel> resampling_kernels();
std::span<const ops::Kernel> rounding_kernels();
std::span<const ops::Kernel> sampling_kernels();
std::span<const ops::Kernel> scan_kernels();
std::span<const ops::Kernel> scatter_kernels();
std::span<const ops::Kernel> search_kernels();
std::span<const ops::Kernel> segment_kernels();
std::span<const ops::Kernel> softmax_kernels();
std::span<const ops::Kernel> sort_kernels();
std::span<const ops::Kernel> special_kernels();
std::span<const ops::Kernel> sum_kernels();
std::span<const ops::Kernel> unique_kernels();

}  // namespace assay::kernels::cuda
