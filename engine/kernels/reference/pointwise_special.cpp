#include "engine/kernels/common/pointwise/special.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

using pointwise::one;
using pointwise::special::nan;
using pointwise::special::pi;

/// Of functions of the standard library that GPUs lack.
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

constexpr ops::Kernel airy_table[] = {
    one<Host, airy_ai>("aten::special_airy_ai"),
};

}  // namespace

std::span<const ops::Kernel> airy_kernels() { return airy_table; }
std::span<const ops::Kernel> special_kernels() { return pointwise::special_table<Host>; }

}  // namespace assay::kernels::reference
