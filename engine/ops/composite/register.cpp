#include "engine/ops/composite/register.h"

#include "engine/ops/composite/families.h"

namespace assay::ops::composite {

void register_kernels(KernelTable& table) {
  for (auto family : {
           attention_composites(),   creation_composites(),     dict_composites(),
           dropout_composites(),     einsum_composites(),       host_state_composites(),
           indexing_composites(),    interpolate_composites(),  list_composites(),
           loss_composites(),        math_composites(),         number_composites(),
           product_composites(),     sequence_composites(),     shape_composites(),
           statistics_composites(),  tensor_value_composites(), text_edit_composites(),
           text_search_composites(),
       }) {
    table.add(Backend::composite, "composite", family);
  }
}

}  // namespace assay::ops::composite
