#include "engine/kernels/cuda/own_kernels.h"

#include "engine/kernels/cuda/families.h"

namespace assay::kernels::cuda {

void add_own_kernels(ops::KernelTable& table) {
  for (auto family : {
           arithmetic_kernels(),
           attention_kernels(),
           copy_kernels(),
           deformable_kernels(),
           detection_kernels(),
           element_product_kernels(),
           fourier_kernels(),
           grid_sampling_kernels(),
           loss_kernels(),
           moment_kernels(),
           normalization_kernels(),
           product_kernels(),
           region_kernels(),
           resampling_kernels(),
           sum_kernels(),
       }) {
    table.add(ops::Backend::cuda, "cuda", family);
  }
}

}  // namespace assay::kernels::cuda
