#include "engine/kernels/common/pointwise/math.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> angle_kernels() { return pointwise::angle_table<Gpu>; }

}  // namespace assay::kernels::cuda
