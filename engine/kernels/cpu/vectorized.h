#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/kernels/common/clones.h"

namespace assay::kernels::cpu {

// Branch-free float functions that compilers vectorize inside `#pragma omp simd` loops.

/// e^x within 2 ulp; 0 and infinity where it under- or overflows; NaN stays.
inline __attribute__((always_inline)) float vector_exp(float x) {
  float clamped = x > 88.73f ? 88.73f : x < -103.98f ? -103.98f : x;
  float n = __builtin_rintf(clamped * 1.44269504088896341f);
  float r = clamped - n * 0.693359375f;
  r -= n * -2.12194440e-4f;
  // Degree-5 minimax polynomial of (e^r - 1 - r) / r^2 on [-ln2 / 2, ln2 / 2] (Cephes expf).
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  float y = p * r * r + r + 1.0f;
  // 2^n in two factors, so that subnormal results are reached.
  auto whole = static_cast<int32_t>(n);
  int32_t half = whole >> 1;
  float low = std::bit_cast<float>((half + 127) << 23);
  float high = std::bit_cast<float>((whole - half + 127) << 23);
  y = y * low * high;
  y = x > 88.7228394f ? HUGE_VALF : y;
  y = x < -103.972084f ? 0.0f : y;
  return x != x ? x : y;
}

/// tanh x within 3 ulp.
inline __attribute__((always_inline)) float vector_tanh(float x) {
  float size = __builtin_fabsf(x);
  // Near 0 a polynomial (Cephes tanhf), elsewhere 1 - 2 / (e^2x + 1).
  float z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  float near = p * z * x + x;
  float bounded = size > 9.1f ? 9.1f : size;
  float far = 1.0f - 2.0f / (vector_exp(2.0f * bounded) + 1.0f);
  far = x < 0 ? -far : far;
  float y = size < 0.625f ? near : far;
  return x != x ? x : y;
}

inline __attribute__((always_inline)) float vector_sigmoid(float x) {
  return 1.0f / (1.0f + vector_exp(-x));
}

/// The complementary error function of x >= 0, to a fractional error of about 1e-6 (Chebyshev fit
/// of erfc(x) e^(x^2), as in Numerical Recipes' erfcc).
inline __attribute__((always_inline)) float vector_erfc(float x) {
  float t = 1.0f / (1.0f + 0.5f * x);
  float p = 0.17087277f;
  p = p * t - 0.82215223f;
  p = p * t + 1.48851587f;
  p = p * t - 1.13520398f;
  p = p * t + 0.27886807f;
  p = p * t - 0.18628806f;
  p = p * t + 0.09678418f;
  p = p * t + 0.37409196f;
  p = p * t + 1.00002368f;
  p = p * t - 1.26551223f;
  return t * vector_exp(p - x * x);
}

// What several kernels do with rows of floats.

/// Each `in[i]` between `low` and `high`, into `out`, which may be `in`. NaN stays NaN.
void clamp(const float* in, float* out, int64_t count, float low, float high);

}  // namespace assay::kernels::cpu
