#include "engine/kernels/common/pointwise/arithmetic.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> pointwise_kernels() { return pointwise::arithmetic_table<Host>; }

}  // namespace assay::kernels::reference
