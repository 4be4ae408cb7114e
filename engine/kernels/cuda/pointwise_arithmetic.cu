#include "engine/kernels/common/pointwise/arithmetic.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {

std::span<const ops::Kernel> arithmetic_kernels() { return pointwise::arithmetic_table<Gpu>; }

}  // namespace assay::kernels::cuda
