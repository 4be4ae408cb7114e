#pragma once

#include "engine/kernels/common/anywhere.h"

namespace assay::kernels::common {

// A product that is rounded before anything is added to it: compilers for GPUs otherwise fuse the
// two, and a coordinate differs in its last bit from the one that the processor computes.
ASSAY_ANYWHERE inline float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
ASSAY_ANYWHERE inline double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace assay::kernels::common
