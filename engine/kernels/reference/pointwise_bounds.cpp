#include "engine/kernels/common/pointwise/bounds.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> bound_kernels() { return pointwise::bound_table<Host>; }

}  // namespace assay::kernels::reference
