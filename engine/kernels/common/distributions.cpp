#include "engine/kernels/common/distributions.h"

#include <bit>
#include <numbers>

#include "engine/kernels/common/clones.h"

namespace assay::kernels::common {
namespace {

/// ln x of a positive x that is not subnormal, within 2 ulp (Cephes logf).
inline __attribute__((always_inline)) float vector_log(float x) {
  auto bits = std::bit_cast<int32_t>(x);
  auto exponent = static_cast<float>((bits >> 23) - 126);
  float m = std::bit_cast<float>((bits & 0x007fffff) | 0x3f000000);  // In [1/2, 1).
  bool low = m < std::numbers::sqrt2_v<float> / 2;
  exponent -= low ? 1.0f : 0.0f;
  m = m * (low ? 2.0f : 1.0f) - 1.0f;
  float z = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  float y = p * m * z - exponent * 2.12194440e-4f - 0.5f * z;
  return m + y + exponent * 0.693359375f;
}

/// The sine and cosine of an angle in [0, 2 pi], within 2 ulp of 1 (Cephes sinf, cosf).
inline __attribute__((always_inline)) void vector_sincos(float x, float& sine, float& cosine) {
  // The even octant that it is nearest to, and how far from its middle.
  auto octant = (static_cast<int32_t>(x * (4 / std::numbers::pi_v<float>)) + 1) & ~1;
  auto n = static_cast<float>(octant);
  float r = x - n * 0.78515625f - n * 2.4187564849853515625e-4f - n * 3.77489497744594108e-8f;
  float z = r * r;
  float c = 2.443315711809948e-5f;
  c = c * z - 1.388731625493765e-3f;
  c = c * z + 4.166664568298827e-2f;
  c = c * z * z - 0.5f * z + 1.0f;
  float s = -1.9515295891e-4f;
  s = s * z + 8.3321608736e-3f;
  s = s * z - 1.6666654611e-1f;
  s = s * z * r + r;
  bool swapped = (octant & 2) != 0, lower = (octant & 4) != 0;
  sine = swapped ? c : s;
  cosine = swapped ? s : c;
  sine = lower ? -sine : sine;
  cosine = swapped != lower ? -cosine : cosine;
}

}  // namespace

ASSAY_VECTORIZED void normal_blocks(float* data, int64_t blocks, float mean, float deviation) {
  for (int64_t b = 0; b < blocks; ++b, data += 16) {
#pragma omp simd
    for (int j = 0; j < 8; ++j) {
      float radius = __builtin_sqrtf(-2.0f * vector_log(1.0f - data[j]));
      float sine = 0, cosine = 0;
      vector_sincos(2 * std::numbers::pi_v<float> * data[j + 8], sine, cosine);
      data[j] = radius * cosine * deviation + mean;
      data[j + 8] = radius * sine * deviation + mean;
    }
  }
}

}  // namespace assay::kernels::common
