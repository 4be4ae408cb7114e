#pragma once

#include <cmath>
#include <cstdint>

#include "engine/kernels/common/anywhere.h"

// Orthogonal polynomials (DLMF 18.9) by their recurrences: what is of degree 1, and of degree k + 1
// from those of degree k and k - 1. That of degree 0 is 1.
namespace assay::kernels::pointwise::special {

struct Chebyshev {
  ASSAY_ANYWHERE static double next(double x, double, double p, double q) { return 2 * x * p - q; }
};
struct ChebyshevT : Chebyshev {
  ASSAY_ANYWHERE static double second(double x) { return x; }
};
struct ChebyshevU : Chebyshev {
  ASSAY_ANYWHERE static double second(double x) { return 2 * x; }
};
struct ChebyshevV : Chebyshev {
  ASSAY_ANYWHERE static double second(double x) { return 2 * x - 1; }
};
struct ChebyshevW : Chebyshev {
  ASSAY_ANYWHERE static double second(double x) { return 2 * x + 1; }
};

/// From [0, 1] instead of [-1, 1].
template <class Polynomial>
struct Shifted {
  ASSAY_ANYWHERE static double second(double x) { return Polynomial::second(2 * x - 1); }
  ASSAY_ANYWHERE static double next(double x, double k, double p, double q) {
    return Polynomial::next(2 * x - 1, k, p, q);
  }
};

struct HermiteH {
  ASSAY_ANYWHERE static double second(double x) { return 2 * x; }
  ASSAY_ANYWHERE static double next(double x, double k, double p, double q) {
    return 2 * x * p - 2 * k * q;
  }
};
struct HermiteHe {
  ASSAY_ANYWHERE static double second(double x) { return x; }
  ASSAY_ANYWHERE static double next(double x, double k, double p, double q) {
    return x * p - k * q;
  }
};
struct LaguerreL {
  ASSAY_ANYWHERE static double second(double x) { return 1 - x; }
  ASSAY_ANYWHERE static double next(double x, double k, double p, double q) {
    return ((2 * k + 1 - x) * p - k * q) / (k + 1);
  }
};
struct LegendreP {
  ASSAY_ANYWHERE static double second(double x) { return x; }
  ASSAY_ANYWHERE static double next(double x, double k, double p, double q) {
    return ((2 * k + 1) * x * p - k * q) / (k + 1);
  }
};

/// 0 for negative degrees. The degree is truncated; what is no int64 becomes the lowest one, in
/// PyTorch on x86.
template <class Polynomial, class Patience>
ASSAY_ANYWHERE double polynomial(double x, double n, Patience patience) {
  if (!(n > -1 && n < 0x1p63)) return 0;
  if (n < 1) return 1;
  double previous = 1, current = Polynomial::second(x);
  auto degree = static_cast<int64_t>(n);
  for (int64_t k = 1; k < degree && !std::isnan(current); ++k) {
    if (!patience.goes_on()) return 0;
    double following = Polynomial::next(x, static_cast<double>(k), current, previous);
    previous = current;
    current = following;
  }
  return current;
}

}  // namespace assay::kernels::pointwise::special
