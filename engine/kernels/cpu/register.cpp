#include "engine/kernels/cpu/register.h"

#include "engine/kernels/cpu/families.h"

namespace assay::kernels::cpu {

void register_kernels(ops::KernelTable& table) {
  for (auto family : {
           convolution_kernels(),
           linear_kernels(),
           recurrent_kernels(),
       }) {
    table.add(ops::Backend::cpu, "onednn", family);
  }
  for (auto family : {
           embedding_kernels(),
           join_kernels(),
           normalization_kernels(),
           pointwise_kernels(),
           pooling_kernels(),
           reduction_kernels(),
           resampling_kernels(),
           softmax_kernels(),
       }) {
    table.add(ops::Backend::cpu, "vectorized", family);
  }
}

}  // namespace assay::kernels::cpu
