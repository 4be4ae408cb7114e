#pragma once

#include "engine/kernels/common/anywhere.h"

namespace assay::kernels::cuda {

// a * b, rounded before anything is added to it, as the host does: CUDA's
// compiler would fuse the two.
ASSAY_ANYWHERE inline double product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}
ASSAY_ANYWHERE inline float product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace assay::kernels::cuda
