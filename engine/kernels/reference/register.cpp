#include "engine/kernels/reference/register.h"

#include "engine/kernels/reference/families.h"

namespace assay::kernels::reference {

void register_kernels(ops::KernelTable& table) {
  for (auto family : {
           activation_kernels(),
           angle_kernels(),
           attention_kernels(),
           airy_kernels(),
           bound_kernels(),
           comparison_kernels(),
           convolution_kernels(),
           copy_kernels(),
           creation_kernels(),
           ctc_kernels(),
           decomposition_kernels(),
           deformable_kernels(),
           detection_kernels(),
           distance_kernels(),
           embedding_kernels(),
           extreme_kernels(),
           factorization_kernels(),
           fourier_kernels(),
           function_kernels(),
           grid_sampling_kernels(),
           histogram_kernels(),
           indexing_kernels(),
           join_kernels(),
           linear_kernels(),
           loss_kernels(),
           normalization_kernels(),
           packed_sequence_kernels(),
           padding_kernels(),
           pointwise_kernels(),
           pooling_kernels(),
           quantization_kernels(),
           random_activation_kernels(),
           random_kernels(),
           recurrent_kernels(),
           region_kernels(),
           resampling_kernels(),
           rounding_kernels(),
           sampling_kernels(),
           scan_kernels(),
           scatter_kernels(),
           segment_kernels(),
           special_kernels(),
           sum_kernels(),
           unique_kernels(),
       }) {
    table.add(ops::Backend::reference, "reference", family);
  }
}

}  // namespace assay::kernels::reference
