#include "engine/ops/composite/register.h"

#include "engine/ops/composite/families.h"

namespace assay::ops::composite {

void register_kernels(KernelTable&) {}

}  // namespace assay::ops::composite
