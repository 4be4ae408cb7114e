#pragma once

#include <cmath>
#include <numbers>

#include "engine/kernels/common/pointwise/gamma_functions.h"

// Bessel functions in double precision, as GPUs can compute them, too: those that they lack are
// summed here.
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

/// I(x) of order 0 or 1 for 0 <= x < 30, by its series (DLMF 10.25.2).
ASSAY_ANYWHERE inline double summed_i(double order, double x) {
  double t = x * x / 4, sum = 1;
  for (int k = 20 + static_cast<int>(2 * x); k > 0; --k) sum = 1 + t / (k * (k + order)) * sum;
  return order == 1 ? x / 2 * sum : sum;
}

/// exp(x) K(x) of order 0 or 1 for x < 1, by its series (DLMF 10.31).
ASSAY_ANYWHERE inline double summed_k(double order, double x) {
  double gamma = std::numbers::egamma;
  double t = x * x / 4, term = 1, harmonic = 0, sum = 0;
  for (int k = 0; k < 20; ++k) {
    double next = harmonic + 1.0 / (k + 1);
    sum += term * (order == 0 ? harmonic : harmonic + next - 2 * gamma);
    harmonic = next;
    term *= t / ((k + 1) * (k + 1 + order));
  }
  double logarithm = std::log(x / 2);
  double value = order == 0 ? sum - (logarithm + gamma) * summed_i(0, x)
                            : 1 / x + logarithm * summed_i(1, x) - x / 4 * sum;
  return std::exp(x) * value;
}

/// exp(x) K(x) for 1 <= x < 30: the integral of exp(x - x cosh t) cosh(order t) (DLMF 10.32.9),
/// whose sum in even steps is exact to more than a double's precision.
ASSAY_ANYWHERE inline double integrated_k(double order, double x) {
  constexpr double step = 0.125;
  double sum = 0.5;
  for (int k = 1; k < 64; ++k) {
    double half = std::sinh(k * step / 2), exponent = 2 * x * half * half;
    if (exponent > 45) break;
    sum += std::exp(-exponent) * (order == 0 ? 1 : 1 + 2 * half * half);
  }
  return step * sum;
}

/// exp(-x) I(x) and exp(x) K(x) for large x (DLMF 10.40.1 and 10.40.2).
ASSAY_ANYWHERE inline double large_argument(double order, double x, double sign) {
  double mu = 4 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    double odd = 2 * k - 1;
    double next = term * sign * (mu - odd * odd) / (k * 8 * x);
    if (std::fabs(next) >= std::fabs(term)) break;
    sum += term = next;
  }
  return sum;
}

ASSAY_ANYWHERE inline double scaled_i(double order, double x) {
  if (std::isnan(x)) return x;
  double size = std::fabs(x);
  double value = size < 30 ? std::exp(-size) * summed_i(order, size)
                           : large_argument(order, size, -1) / std::sqrt(2 * pi * size);
  return order == 1 && x < 0 ? -value : value;
}

ASSAY_ANYWHERE inline double scaled_k(double order, double x) {
  if (std::isnan(x)) return x;
  if (x <= 0) return x == 0 ? inf : nan;
  if (x >= 30) return large_argument(order, x, 1) * std::sqrt(pi / (2 * x));
  return x < 1 ? summed_k(order, x) : integrated_k(order, x);
}

ASSAY_ANYWHERE inline double bessel_i0_scaled(double x) { return scaled_i(0, x); }
ASSAY_ANYWHERE inline double bessel_i1_scaled(double x) { return scaled_i(1, x); }
ASSAY_ANYWHERE inline double bessel_i0(double x) { return scaled_i(0, x) * std::exp(std::fabs(x)); }
ASSAY_ANYWHERE inline double bessel_i1(double x) { return scaled_i(1, x) * std::exp(std::fabs(x)); }
ASSAY_ANYWHERE inline double bessel_k0_scaled(double x) { return scaled_k(0, x); }
ASSAY_ANYWHERE inline double bessel_k1_scaled(double x) { return scaled_k(1, x); }
ASSAY_ANYWHERE inline double bessel_k0(double x) { return scaled_k(0, x) * std::exp(-x); }
ASSAY_ANYWHERE inline double bessel_k1(double x) { return scaled_k(1, x) * std::exp(-x); }

}  // namespace assay::kernels::pointwise::special
