#include "engine/kernels/reference/families.h"

namespace assay::kernels::reference {

std::span<const ops::Kernel> pointwise_kernels() { return {}; }

}  // namespace assay::kernels::reference
