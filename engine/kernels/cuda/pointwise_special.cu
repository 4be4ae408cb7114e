#include "engine/kernels/common/pointwise/special.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> special_kernels() { return pointwise::special_table<Gpu>; }

}  // namespace assay::kernels::cuda
