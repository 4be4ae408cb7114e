#include "engine/kernels/common/pointwise/compare.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> comparison_kernels() { return pointwise::comparison_table<Host>; }

}  // namespace assay::kernels::reference
