#include "engine/kernels/common/pointwise/special.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

using pointwise::floats;
using pointwise::no_half;
using pointwise::one;
using pointwise::special::inf;
using pointwise::special::nan;
using pointwise::special::pi;

// Bessel functions of the standard library, which GPUs lack; its real arguments are not negative.

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

double bessel_i0_scaled(double x) { return scaled_i(0, x); }
double bessel_i1_scaled(double x) { return scaled_i(1, x); }
double bessel_i0(double x) { return scaled_i(0, x) * std::exp(std::fabs(x)); }
double bessel_i1(double x) { return scaled_i(1, x) * std::exp(std::fabs(x)); }
double bessel_k0_scaled(double x) { return scaled_k(0, x); }
double bessel_k1_scaled(double x) { return scaled_k(1, x); }
double bessel_k0(double x) { return scaled_k(0, x) * std::exp(-x); }
double bessel_k1(double x) { return scaled_k(1, x) * std::exp(-x); }

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

constexpr ops::Kernel bessel_table[] = {
    one<Host, bessel_i0, floats | no_half>("aten::i0"),
    one<Host, bessel_i0_scaled, floats | no_half>("aten::special_i0e"),
    one<Host, bessel_i1>("aten::special_i1"),
    one<Host, bessel_i1_scaled>("aten::special_i1e"),
    one<Host, bessel_i0>("aten::special_modified_bessel_i0"),
    one<Host, bessel_i1>("aten::special_modified_bessel_i1"),
    one<Host, bessel_k0>("aten::special_modified_bessel_k0"),
    one<Host, bessel_k1>("aten::special_modified_bessel_k1"),
    one<Host, bessel_k0_scaled>("aten::special_scaled_modified_bessel_k0"),
    one<Host, bessel_k1_scaled>("aten::special_scaled_modified_bessel_k1"),
    one<Host, airy_ai>("aten::special_airy_ai"),
};

}  // namespace

std::span<const ops::Kernel> bessel_kernels() { return bessel_table; }
std::span<const ops::Kernel> special_kernels() { return pointwise::special_table<Host>; }

}  // namespace assay::kernels::reference
