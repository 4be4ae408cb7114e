#include "engine/kernels/cpu/vectorized.h"

namespace assay::kernels::cpu {

ASSAY_VECTORIZED void clamp(const float* in, float* out, int64_t count, float low, float high) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    float v = in[i];
    v = v < low ? low : v;
    out[i] = v > high ? high : v;
  }
}

}  // namespace assay::kernels::cpu
