#include "engine/kernels/common/pointwise/rounding.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> rounding_kernels() { return pointwise::rounding_table<Host>; }

}  // namespace assay::kernels::reference
