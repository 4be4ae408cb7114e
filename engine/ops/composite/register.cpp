#include "engine/ops/composite/register.h"

#include "engine/ops/composite/families.h"

namespace assay::ops::composite {

void register_kernels(KernelTable& table) {
  for (auto family : {
           attention_composites(),
           creation_composites(),
           dropout_composites(),
           einsum_composites(),
           factorization_composites(),
           fourier_composites(),
           gradient_composites(),
           indexing_composites(),
           interpolate_composites(),
           loss_composites(),
           normalization_composites(),
           product_composites(),
           readout_composites(),
           sequence_composites(),
           shape_composites(),
           statistics_composites(),
           tensor_value_composites(),
           transfer_composites(),
       }) {
    table.add(Backend::composite, "composite", family);
  }
}

}  // namespace assay::ops::composite
