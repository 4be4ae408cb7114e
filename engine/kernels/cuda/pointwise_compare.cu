#include "engine/kernels/common/pointwise/compare.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> comparison_kernels() { return pointwise::comparison_table<Gpu>; }

}  // namespace assay::kernels::cuda
