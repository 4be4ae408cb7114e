#include "engine/kernels/cuda/own_kernels.h"

#include "engine/kernels/cuda/families.h"

namespace assay::kernels::cuda {

void add_own_kernels(ops::KernelTable& table) {
  for (auto family : {
           arithmetic_kernels(),
           copy_kernels(),
           element_product_kernels(),
           normalization_kernels(),
           product_kernels(),
           resampling_kernels(),
       }) {
    table.add(ops::Backend::cuda, "cuda", family);
  }
}

}  // namespace assay::kernels::cuda
