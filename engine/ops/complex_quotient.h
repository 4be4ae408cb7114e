#pragma once

#include <algorithm>
#include <cmath>

#include "engine/core/scalar.h"

namespace assay::ops {

/// a / b with PyTorch's infinities: division by zero or by infinity gives NaN in both parts, where
/// C++'s operator recovers an infinity or a zero.
inline core::Complex128 complex_quotient(core::Complex128 a, core::Complex128 b) {
  double scale = std::max(std::fabs(b.real()), std::fabs(b.imag()));
  double re = b.real() / scale, im = b.imag() / scale;
  double norm = re * b.real() + im * b.imag();
  return {(a.real() * re + a.imag() * im) / norm, (a.imag() * re - a.real() * im) / norm};
}

}  // namespace assay::ops
