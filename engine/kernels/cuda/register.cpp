#include "engine/kernels/cuda/register.h"

#include "engine/kernels/cuda/hosted.h"
#include "engine/kernels/cuda/own_kernels.h"

namespace assay::kernels::cuda {

void register_kernels(ops::KernelTable& table) {
  add_own_kernels(table);
  add_hosted_kernels(table);
}

}  // namespace assay::kernels::cuda
