#include "engine/kernels/reference/register.h"

#include "engine/kernels/reference/families.h"

namespace assay::kernels::reference {

void register_kernels(ops::KernelTable& table) {
  for (auto family : {
           pointwise_kernels(),
       }) {
    table.add(ops::Backend::reference, "reference", family);
  }
}

}  // namespace assay::kernels::reference
