#include "engine/kernels/common/pointwise/math.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> angle_kernels() { return pointwise::angle_table<Host>; }
std::span<const ops::Kernel> function_kernels() { return pointwise::function_table<Host>; }

}  // namespace assay::kernels::reference
