#include "engine/kernels/common/pointwise/bounds.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> clamp_kernels() { return pointwise::bound_table<Gpu>; }

}  // namespace assay::kernels::cuda
