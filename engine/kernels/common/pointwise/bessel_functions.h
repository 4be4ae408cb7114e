#pragma once

#include "engine/kernels/common/pointwise/gamma_functions.h"

// Bessel functions in double precision that GPUs have, too.
namespace assay::kernels::pointwise::special {

// PyTorch takes a cosine of the argument, which infinity does not have.
ASSAY_ANYWHERE inline double bessel_j0(double x) { return std::isinf(x) ? nan : ::j0(x); }
ASSAY_ANYWHERE inline double bessel_j1(double x) { return std::isinf(x) ? nan : ::j1(x); }
ASSAY_ANYWHERE inline double bessel_y0(double x) { return x < 0 ? nan : ::y0(x); }
ASSAY_ANYWHERE inline double bessel_y1(double x) { return x < 0 ? nan : ::y1(x); }

/// DLMF 10.47: sin(x) / x.
ASSAY_ANYWHERE inline double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::fabs(x) < 0.5) {
    double r = x * x;
    return 1 - r / 6 * (1 - r / 20 * (1 - r / 42 * (1 - r / 72 * (1 - r / 110))));
  }
  return std::sin(x) / x;
}

}  // namespace assay::kernels::pointwise::special
