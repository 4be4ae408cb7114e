#include "engine/kernels/cuda/own_kernels.h"

#include "engine/kernels/cuda/families.h"

namespace assay::kernels::cuda {

void add_own_kernels(ops::KernelTable& table) {
  for (auto family : {
           activation_kernels(),
           angle_kernels(),
           arithmetic_kernels(),
           attention_kernels(),
           channel_kernels(),
           histogram_kernels(),
           membership_kernels(),
           unique_kernels(),
           choice_kernels(),  // Before clamp_kernels(), which has the general case.
           clamp_kernels(),
           comparison_kernels(),
           convolution_kernels(),
           copy_kernels(),
           creation_kernels(),
           decomposition_kernels(),
           deformable_kernels(),
           detection_kernels(),
           distance_kernels(),
           dot_product_attention_kernels(),
           dropout_kernels(),
           element_product_kernels(),
           embedding_kernels(),
           extreme_kernels(),
           factorization_kernels(),
           fourier_kernels(),
           function_kernels(),
           grid_sampling_kernels(),
           indexing_kernels(),
           join_kernels(),
           loss_kernels(),
           mask_kernels(),
           moment_kernels(),
           normalization_kernels(),
           packed_sequence_kernels(),
           padding_kernels(),
           pooling_kernels(),
           product_kernels(),
           quantile_kernels(),
           quantization_kernels(),
           random_activation_kernels(),
           random_choice_kernels(),
           random_kernels(),
           range_kernels(),
           recurrent_kernels(),
           region_kernels(),
           resampling_kernels(),
           rounding_kernels(),
           sampling_kernels(),
           scan_kernels(),
           scatter_kernels(),
           search_kernels(),
           segment_kernels(),
           softmax_kernels(),
           sort_kernels(),
           special_kernels(),
           sum_kernels(),
       }) {
    table.add(ops::Backend::cuda, "cuda", family);
  }
}

}  // namespace assay::kernels::cuda
