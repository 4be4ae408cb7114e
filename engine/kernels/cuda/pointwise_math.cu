#include "engine/kernels/common/pointwise/math.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> function_kernels() { return pointwise::function_table<Gpu>; }

}  // namespace assay::kernels::cuda
