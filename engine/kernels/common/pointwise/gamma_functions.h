#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "engine/kernels/common/anywhere.h"

// Special functions of real numbers in double precision, with PyTorch's values at poles and outside
// of their domains. Sources: DLMF (https://dlmf.nist.gov), by section. Loops whose length an
// argument says ask their Patience whether to go on.
namespace assay::kernels::pointwise::special {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double pi = std::numbers::pi;
inline constexpr double epsilon = 1.11e-16;
/// Of a turn that takes a power or a logarithm, beside one of a few products.
inline constexpr int64_t turn_cost = 16;

/// B(2k) / (2k)! for k = 1 to 12, the coefficients of Euler and Maclaurin's sum (DLMF 25.11.5).
ASSAY_ANYWHERE inline double bernoulli_over_factorial(int k) {
  constexpr double numbers[] = {
      1.0 / 6, -1.0 / 30,     1.0 / 42,      -1.0 / 30,       5.0 / 66,       -691.0 / 2730,
      7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};
  return numbers[k - 1] / std::tgamma(2.0 * k + 1);
}

ASSAY_ANYWHERE inline double digamma_of_positive(double x) {
  if (std::isinf(x)) return x;
  double shift = 0;
  for (; x < 12; ++x) shift -= 1 / x;
  double r = 1 / (x * x);
  double series =
      r * (1.0 / 12 - r * (1.0 / 120 -
                           r * (1.0 / 252 -
                                r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r / 12))))));
  return shift + std::log(x) - 0.5 / x - series;
}

/// DLMF 5.2: derivative of log gamma; NaN at poles but 0.
ASSAY_ANYWHERE inline double digamma(double x) {
  if (x == 0) return std::copysign(inf, -x);
  if (!(x < 0)) return digamma_of_positive(x);
  if (x == std::floor(x)) return nan;
  return digamma_of_positive(1 - x) - pi / std::tan(pi * (x - std::floor(x)));
}

/// DLMF 25.11: sum of (q + k)^-s.
template <class Patience>
ASSAY_ANYWHERE double hurwitz_zeta(double s, double q, Patience patience) {
  if (std::isnan(s) || std::isnan(q)) return nan;
  if (s == 1) return inf;
  if (s < 1 || q == inf) return nan;
  if (q <= 0) {
    if (q == std::floor(q)) return inf;
    if (s != std::floor(s)) return nan;
  }
  constexpr int direct = 12;
  double sum = 0;
  for (int64_t k = 0; k < direct || q <= 9; ++k) {
    if (!patience.goes_on(turn_cost)) return nan;
    sum += std::pow(q, -s);
    q += 1;
  }
  sum += std::pow(q, 1 - s) / (s - 1) + 0.5 * std::pow(q, -s);
  double rising = s, power = std::pow(q, -s - 1);
  for (int k = 1; k <= 12; ++k) {
    sum += bernoulli_over_factorial(k) * rising * power;
    rising *= (s + 2 * k - 1) * (s + 2 * k);
    power /= q * q;
  }
  return sum;
}

/// DLMF 5.15: the n-th derivative of digamma.
template <class Patience>
ASSAY_ANYWHERE double polygamma(int64_t n, double x, Patience patience) {
  if (n == 0) return digamma(x);
  bool reflects = n == 1 && x < 0.5;  // DLMF 5.15.6.
  double at = reflects ? 1 - x : x;
  double order = static_cast<double>(n);
  double sign = n % 2 == 0 ? -1 : 1;
  double value = sign * std::exp(std::lgamma(order + 1)) * hurwitz_zeta(order + 1, at, patience);
  if (!reflects) return value;
  double s = std::sin(pi * x);
  return -value + pi * pi / (s * s);
}

template <class Patience>
ASSAY_ANYWHERE double multivariate_lgamma(double x, int64_t p, Patience patience) {
  double count = static_cast<double>(p);
  double sum = count * (count - 1) / 4 * std::log(pi);
  for (int64_t j = 0; j < p; ++j) {
    if (!patience.goes_on(turn_cost)) return nan;
    sum += std::lgamma(x - 0.5 * static_cast<double>(j));
  }
  return sum;
}

/// x^a exp(-x) / gamma(a).
ASSAY_ANYWHERE inline double gamma_factor(double a, double x) {
  return std::exp(a * std::log(x) - x - std::lgamma(a));
}

/// P(a, x) by its series (DLMF 8.11.4).
template <class Patience>
ASSAY_ANYWHERE double gamma_series(double a, double x, Patience patience) {
  double term = 1 / a, sum = term;
  for (double n = a + 1; term > sum * epsilon; n += 1) {
    if (!patience.goes_on()) return nan;
    sum += term *= x / n;
  }
  return sum * gamma_factor(a, x);
}

/// Q(a, x) by its continued fraction (DLMF 8.9.2), evaluated by Lentz's method.
ASSAY_ANYWHERE inline double gamma_fraction(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int i = 1; i < 100000; ++i) {
    double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    c = b + an / c;
    d = 1 / (std::fabs(d) < tiny ? tiny : d);
    c = std::fabs(c) < tiny ? tiny : c;
    double delta = d * c;
    h *= delta;
    if (std::fabs(delta - 1) < epsilon * 2) break;
  }
  return h * gamma_factor(a, x);
}

/// From here on series and fraction take more terms than anybody waits for, and the next term of
/// the expansion below is beyond a double's precision.
inline constexpr double large_order = 1e8;

/// Q(a, x) for a large a, P(a, x) with sign -1: the leading terms of the expansion that holds for
/// all x (Temme 1979; DLMF 8.12.3, 8.12.4, 8.12.7).
ASSAY_ANYWHERE inline double gamma_of_large_order(double a, double x, double sign) {
  double m = x / a - 1;
  // eta^2 / 2 = m - log(1 + m), whose terms cancel for a small m.
  double half_square = m - std::log1p(m);
  if (std::fabs(m) < 0.01) {
    double series = 0;
    for (int k = 8; k >= 0; --k) series = 1.0 / (k + 2) - m * series;
    half_square = m * m * series;
  }
  double eta = std::copysign(std::sqrt(2 * half_square), m);
  double c = std::fabs(eta) < 0.01 ? -1.0 / 3 + eta * (1.0 / 12 - eta * (2.0 / 135 - eta / 864))
                                   : 1 / m - 1 / eta;
  double rest = std::exp(-a * half_square) / std::sqrt(2 * pi * a) * c;
  return std::erfc(sign * eta * std::sqrt(a / 2)) / 2 + sign * rest;
}

/// DLMF 8.2: P(a, x).
template <class Patience>
ASSAY_ANYWHERE double lower_gamma(double a, double x, Patience patience) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return nan;
  if (a == 0) return x > 0 ? 1 : nan;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? nan : 0;
  if (std::isinf(x)) return 1;
  if (a > large_order) return gamma_of_large_order(a, x, -1);
  return x < a + 1 ? gamma_series(a, x, patience) : 1 - gamma_fraction(a, x);
}

/// DLMF 8.2: Q(a, x) = 1 - P(a, x).
template <class Patience>
ASSAY_ANYWHERE double upper_gamma(double a, double x, Patience patience) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return nan;
  if (a == 0) return x > 0 ? 0 : nan;
  if (x == 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? nan : 1;
  if (std::isinf(x)) return 0;
  if (a > large_order) return gamma_of_large_order(a, x, 1);
  return x < a + 1 ? 1 - gamma_series(a, x, patience) : gamma_fraction(a, x);
}

/// DLMF 7.2: exp(x^2) erfc(x).
ASSAY_ANYWHERE inline double erfc_scaled(double x) {
  if (std::isnan(x)) return x;
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  // Asymptotic series (DLMF 7.12.1).
  double r = 1 / (2 * x * x);
  return (1 - r * (1 - 3 * r * (1 - 5 * r))) / (x * std::sqrt(pi));
}

/// Logarithm of the normal distribution at x.
ASSAY_ANYWHERE inline double normal_log_distribution(double x) {
  double t = x * std::numbers::sqrt2 / 2;
  if (x < -1) return std::log(erfc_scaled(-t) / 2) - t * t;
  return std::log1p(-std::erfc(t) / 2);
}

/// Newton's method on the logarithm of the distribution, which is nearly a parabola: it converges
/// from any start.
ASSAY_ANYWHERE inline double lower_quantile(double p) {
  double wanted = std::log(p);
  double x = -std::sqrt(-2 * wanted + 1e-9) + 0.5;
  for (int i = 0; i < 100; ++i) {
    double value = normal_log_distribution(x);
    double density = std::exp(-0.5 * x * x - 0.5 * std::log(2 * pi) - value);
    double step = (value - wanted) / density;
    x -= step;
    if (std::fabs(step) <= 4e-16 * std::fabs(x) + 1e-300) break;
  }
  return x;
}

/// The x where the normal distribution is p.
ASSAY_ANYWHERE inline double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return nan;
  if (p == 0) return -inf;
  if (p == 1) return inf;
  return p > 0.5 ? -lower_quantile(1 - p) : lower_quantile(p);
}

/// Halley's method from Winitzki's approximation, which is within 0.3 percent. In the tail the
/// complement is compared: 1 - y has all its digits there.
ASSAY_ANYWHERE inline double erf_inverse_of_positive(double y) {
  double log_rest = std::log1p(-y) + std::log1p(y);
  double t = 2 / (pi * 0.147) + log_rest / 2;
  double x = std::sqrt(std::sqrt(t * t - log_rest / 0.147) - t);
  for (int i = 0; i < 5; ++i) {
    double error = y > 0.5 ? (1 - y) - std::erfc(x) : std::erf(x) - y;
    double newton = error * std::sqrt(pi) / 2 * std::exp(x * x);
    double step = newton / (1 + x * newton);
    x -= step;
    if (std::fabs(step) <= 1e-6 * x) break;  // the error after a step is its cube
  }
  return x;
}

/// DLMF 7.17.
ASSAY_ANYWHERE inline double erf_inverse(double y) {
  if (std::isnan(y) || y < -1 || y > 1) return nan;
  if (y == 1 || y == -1) return std::copysign(inf, y);
  if (y == 0) return y;
  return y < 0 ? -erf_inverse_of_positive(-y) : erf_inverse_of_positive(y);
}

/// -x log x.
ASSAY_ANYWHERE inline double entropy_term(double x) {
  if (std::isnan(x)) return x;
  return x > 0 ? -x * std::log(x) : x == 0 ? 0 : -inf;
}

ASSAY_ANYWHERE inline double log_gamma(double x) { return std::lgamma(x); }
ASSAY_ANYWHERE inline double normal_distribution(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

}  // namespace assay::kernels::pointwise::special
