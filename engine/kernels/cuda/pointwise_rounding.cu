#include "engine/kernels/common/pointwise/rounding.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> rounding_kernels() { return pointwise::rounding_table<Gpu>; }

}  // namespace assay::kernels::cuda
