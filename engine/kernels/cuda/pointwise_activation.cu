#include "engine/kernels/common/pointwise/activation.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> activation_kernels() { return pointwise::activation_table<Gpu>; }

}  // namespace assay::kernels::cuda
