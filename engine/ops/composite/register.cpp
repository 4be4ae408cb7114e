#include "engine/ops/composite/register.h"

#include "engine/ops/composite/families.h"

namespace assay::ops::composite {

void register_kernels(KernelTable& table) {
  for (auto family : {
           creation_composites(),
           shape_composites(),
       }) {
    table.add(Backend::composite, "composite", family);
  }
}

}  // namespace assay::ops::composite
