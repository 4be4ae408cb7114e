#include "engine/kernels/cpu/register.h"

#include "engine/kernels/cpu/families.h"

namespace assay::kernels::cpu {

void register_kernels(ops::KernelTable&) {}

}  // namespace assay::kernels::cpu
