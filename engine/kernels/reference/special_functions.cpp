#include "engine/kernels/reference/special_functions.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "engine/base/deadline.h"

namespace assay::kernels::reference {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
constexpr double epsilon = 1.11e-16;

/// B(2k) / (2k)! for k = 1 to 12, the coefficients of Euler and Maclaurin's sum (DLMF 25.11.5).
double bernoulli_over_factorial(int k) {
  constexpr double numbers[] = {
      1.0 / 6, -1.0 / 30,     1.0 / 42,      -1.0 / 30,       5.0 / 66,       -691.0 / 2730,
      7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};
  return numbers[k - 1] / std::tgamma(2.0 * k + 1);
}

}  // namespace

double digamma(double x) {
  if (x == 0) return std::copysign(inf, -x);
  if (x < 0) {
    if (x == std::floor(x)) return nan;
    return digamma(1 - x) - pi / std::tan(pi * (x - std::floor(x)));
  }
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

double hurwitz_zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q)) return nan;
  if (s == 1) return inf;
  if (s < 1 || q == inf) return nan;
  if (q <= 0) {
    if (q == std::floor(q)) return inf;
    if (s != std::floor(s)) return nan;
  }
  constexpr int direct = 12;
  double sum = 0;
  base::DeadlineTicker deadline;
  for (int64_t k = 0; k < direct || q <= 9; ++k) {
    deadline.tick();
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

double polygamma(int64_t n, double x) {
  if (n == 0) return digamma(x);
  if (n == 1 && x < 0.5) {
    // Reflection (DLMF 5.15.6).
    double s = std::sin(pi * x);
    return -polygamma(1, 1 - x) + pi * pi / (s * s);
  }
  double order = static_cast<double>(n);
  double sign = n % 2 == 0 ? -1 : 1;
  return sign * std::exp(std::lgamma(order + 1)) * hurwitz_zeta(order + 1, x);
}

double multivariate_lgamma(double x, int64_t p) {
  double count = static_cast<double>(p);
  double sum = count * (count - 1) / 4 * std::log(pi);
  base::DeadlineTicker deadline;
  for (int64_t j = 0; j < p; ++j) {
    deadline.tick();
    sum += std::lgamma(x - 0.5 * static_cast<double>(j));
  }
  return sum;
}

namespace {

/// x^a exp(-x) / gamma(a).
double gamma_factor(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

/// P(a, x) by its series (DLMF 8.11.4).
double gamma_series(double a, double x) {
  double term = 1 / a, sum = term;
  base::DeadlineTicker deadline;
  for (double n = a + 1; term > sum * epsilon; n += 1) {
    deadline.tick();
    sum += term *= x / n;
  }
  return sum * gamma_factor(a, x);
}

/// Q(a, x) by its continued fraction (DLMF 8.9.2), evaluated by Lentz's method.
double gamma_fraction(double a, double x) {
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
constexpr double large_order = 1e8;

/// Q(a, x) for a large a, P(a, x) with sign -1: the leading terms of the expansion that holds for
/// all x (Temme 1979; DLMF 8.12.3, 8.12.4, 8.12.7).
double gamma_of_large_order(double a, double x, double sign) {
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

}  // namespace

double lower_gamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return nan;
  if (a == 0) return x > 0 ? 1 : nan;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? nan : 0;
  if (std::isinf(x)) return 1;
  if (a > large_order) return gamma_of_large_order(a, x, -1);
  return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

double upper_gamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0) return nan;
  if (a == 0) return x > 0 ? 0 : nan;
  if (x == 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? nan : 1;
  if (std::isinf(x)) return 0;
  if (a > large_order) return gamma_of_large_order(a, x, 1);
  return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

double erfc_scaled(double x) {
  if (std::isnan(x)) return x;
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  // Asymptotic series (DLMF 7.12.1).
  double r = 1 / (2 * x * x);
  return (1 - r * (1 - 3 * r * (1 - 5 * r))) / (x * std::sqrt(pi));
}

double normal_log_distribution(double x) {
  double t = x * std::numbers::sqrt2 / 2;
  if (x < -1) return std::log(erfc_scaled(-t) / 2) - t * t;
  return std::log1p(-std::erfc(t) / 2);
}

/// Newton's method on the logarithm of the distribution, which is nearly a parabola: it converges
/// from any start.
double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return nan;
  if (p == 0) return -inf;
  if (p == 1) return inf;
  if (p > 0.5) return -normal_quantile(1 - p);
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

/// Halley's method from Winitzki's approximation, which is within 0.3 percent. In the tail the
/// complement is compared: 1 - y has all its digits there.
double erf_inverse(double y) {
  if (std::isnan(y) || y < -1 || y > 1) return nan;
  if (y == 1 || y == -1) return std::copysign(inf, y);
  if (y < 0) return -erf_inverse(-y);
  if (y == 0) return y;
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

double entropy_term(double x) {
  if (std::isnan(x)) return x;
  return x > 0 ? -x * std::log(x) : x == 0 ? 0 : -inf;
}

// Bessel functions come from the standard library; its real arguments are not negative.

// PyTorch takes a cosine of the argument, which infinity does not have.
double bessel_j0(double x) { return std::isinf(x) ? nan : ::j0(x); }
double bessel_j1(double x) { return std::isinf(x) ? nan : ::j1(x); }
double bessel_y0(double x) { return x < 0 ? nan : ::y0(x); }
double bessel_y1(double x) { return x < 0 ? nan : ::y1(x); }

namespace {

/// exp(-x) I(x) and exp(x) K(x) for large x (DLMF 10.40.1 and 10.40.2).
double large_argument(double order, double x, double sign) {
  double mu = 4 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    double odd = 2 * k - 1;
    double next = term * sign * (mu - odd * odd) / (k * 8 * x);
    if (std::fabs(next) >= std::fabs(term)) break;
    sum += term = next;
  }
  return sum;
}

double scaled_i(double order, double x) {
  if (std::isnan(x)) return x;
  double size = std::fabs(x);
  double value = size < 30 ? std::exp(-size) * std::cyl_bessel_i(order, size)
                           : large_argument(order, size, -1) / std::sqrt(2 * pi * size);
  return order == 1 && x < 0 ? -value : value;
}

double scaled_k(double order, double x) {
  if (std::isnan(x)) return x;
  if (x <= 0) return x == 0 ? inf : nan;
  return x < 30 ? std::exp(x) * std::cyl_bessel_k(order, x)
                : large_argument(order, x, 1) * std::sqrt(pi / (2 * x));
}

}  // namespace

double bessel_i0_scaled(double x) { return scaled_i(0, x); }
double bessel_i1_scaled(double x) { return scaled_i(1, x); }
double bessel_i0(double x) { return scaled_i(0, x) * std::exp(std::fabs(x)); }
double bessel_i1(double x) { return scaled_i(1, x) * std::exp(std::fabs(x)); }
double bessel_k0_scaled(double x) { return scaled_k(0, x); }
double bessel_k1_scaled(double x) { return scaled_k(1, x); }
double bessel_k0(double x) { return scaled_k(0, x) * std::exp(-x); }
double bessel_k1(double x) { return scaled_k(1, x) * std::exp(-x); }

double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::fabs(x) < 0.5) {
    double r = x * x;
    return 1 - r / 6 * (1 - r / 20 * (1 - r / 42 * (1 - r / 72 * (1 - r / 110))));
  }
  return std::sin(x) / x;
}

double airy_ai(double x) {
  if (std::isnan(x) || std::isinf(x)) return nan;
  if (x > 103.892) return 0;
  double size = std::fabs(x), zeta = 2.0 / 3 * size * std::sqrt(size);
  if (size < 1e-8) return 0.35502805388781723926 - 0.25881940379280679841 * x;
  if (x > 0) return std::sqrt(x / 3) / pi * std::cyl_bessel_k(1.0 / 3, zeta);
  // DLMF 9.6.5, with J(-1/3) written through J(1/3) and Y(1/3) (DLMF 10.4.7).
  double j = std::cyl_bessel_j(1.0 / 3, zeta), y = std::cyl_neumann(1.0 / 3, zeta);
  return std::sqrt(size) / 2 * (j - y / std::sqrt(3.0));
}

namespace {

/// A polynomial by its three-term recurrence: next(k, current, previous) is of degree k + 1.
template <typename Next>
double by_recurrence(double n, double first, double second, Next next) {
  // The degree is truncated; what is no int64 becomes the lowest one, in PyTorch on x86.
  if (!(n > -1 && n < 0x1p63)) return 0;
  if (n < 1) return first;
  double previous = first, current = second;
  auto degree = static_cast<int64_t>(n);
  base::DeadlineTicker deadline;
  for (int64_t k = 1; k < degree && !std::isnan(current); ++k) {
    deadline.tick();
    double following = next(static_cast<double>(k), current, previous);
    previous = current;
    current = following;
  }
  return current;
}

double chebyshev(double x, double n, double second) {
  return by_recurrence(n, 1, second, [x](double, double p, double q) { return 2 * x * p - q; });
}

}  // namespace

double chebyshev_t(double x, double n) { return chebyshev(x, n, x); }
double chebyshev_u(double x, double n) { return chebyshev(x, n, 2 * x); }
double chebyshev_v(double x, double n) { return chebyshev(x, n, 2 * x - 1); }
double chebyshev_w(double x, double n) { return chebyshev(x, n, 2 * x + 1); }
double shifted_chebyshev_t(double x, double n) { return chebyshev_t(2 * x - 1, n); }
double shifted_chebyshev_u(double x, double n) { return chebyshev_u(2 * x - 1, n); }
double shifted_chebyshev_v(double x, double n) { return chebyshev_v(2 * x - 1, n); }
double shifted_chebyshev_w(double x, double n) { return chebyshev_w(2 * x - 1, n); }

double hermite_h(double x, double n) {
  return by_recurrence(n, 1, 2 * x,
                       [x](double k, double p, double q) { return 2 * x * p - 2 * k * q; });
}
double hermite_he(double x, double n) {
  return by_recurrence(n, 1, x, [x](double k, double p, double q) { return x * p - k * q; });
}
double laguerre_l(double x, double n) {
  return by_recurrence(n, 1, 1 - x, [x](double k, double p, double q) {
    return ((2 * k + 1 - x) * p - k * q) / (k + 1);
  });
}
double legendre_p(double x, double n) {
  return by_recurrence(n, 1, x, [x](double k, double p, double q) {
    return ((2 * k + 1) * x * p - k * q) / (k + 1);
  });
}

}  // namespace assay::kernels::reference
