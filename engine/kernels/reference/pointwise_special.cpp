#include <cmath>
#include <numbers>

#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/kernels/reference/special_functions.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

template <double (*f)(double), unsigned kinds = floats | no_half | no_bfloat>
constexpr ops::Kernel one(std::string_view name) {
  return {name, elementwise_float<1, kinds, [](double x) { return f(x); }>};
}

template <double (*f)(double, double)>
constexpr ops::Kernel two(std::string_view name) {
  return {name, elementwise_float<2, floats | no_half | no_bfloat,
                                  [](double x, double y) { return f(x, y); }>};
}

double log_gamma(double x) { return std::lgamma(x); }
double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// polygamma(n, self): the tensor is the second argument.
void polygamma_of(Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n >= 0, "polygamma(n, x) does not support negative n.");
  DType as = c.out().dtype();
  compute_over<floats, 1>(c, c.out(), as, {c.tensor(arg::self)},
                          [n](double x) { return polygamma(n, x); });
}

void mvlgamma(Call& c) {
  int64_t p = c.integer(arg::p);
  base::check(p >= 1, "p has to be greater than or equal to 1");
  DType as = c.out().dtype();
  compute_over<floats, 1>(c, c.out(), as, {c.tensor(arg::self)},
                          [p](double x) { return multivariate_lgamma(x, p); });
}

template <double (*f)(double, double)>
void incomplete_gamma(Call& c) {
  elementwise<2, floats, [](double a, double x) { return f(a, x); }>(c);
}

constexpr ops::Kernel pointwise_special_table[] = {
    one<log_gamma, floats | no_half>("aten::lgamma"),
    one<digamma, floats | no_half>("aten::digamma"),
    one<erf_inverse, floats | no_half>("aten::erfinv"),
    one<bessel_i0, floats | no_half>("aten::i0"),
    one<bessel_i0_scaled, floats | no_half>("aten::special_i0e"),
    one<bessel_i1>("aten::special_i1"),
    one<bessel_i1_scaled>("aten::special_i1e"),
    one<normal_quantile>("aten::special_ndtri"),
    one<normal_distribution, floats | no_half>("aten::special_ndtr"),
    one<normal_log_distribution>("aten::special_log_ndtr"),
    one<erfc_scaled>("aten::special_erfcx"),
    one<entropy_term, floats | no_half>("aten::special_entr"),
    one<bessel_j0>("aten::special_bessel_j0"),
    one<bessel_j1>("aten::special_bessel_j1"),
    one<bessel_y0>("aten::special_bessel_y0"),
    one<bessel_y1>("aten::special_bessel_y1"),
    one<bessel_i0>("aten::special_modified_bessel_i0"),
    one<bessel_i1>("aten::special_modified_bessel_i1"),
    one<bessel_k0>("aten::special_modified_bessel_k0"),
    one<bessel_k1>("aten::special_modified_bessel_k1"),
    one<bessel_k0_scaled>("aten::special_scaled_modified_bessel_k0"),
    one<bessel_k1_scaled>("aten::special_scaled_modified_bessel_k1"),
    one<spherical_bessel_j0>("aten::special_spherical_bessel_j0"),
    one<airy_ai>("aten::special_airy_ai"),
    two<hurwitz_zeta>("aten::special_zeta"),
    two<chebyshev_t>("aten::special_chebyshev_polynomial_t"),
    two<chebyshev_u>("aten::special_chebyshev_polynomial_u"),
    two<chebyshev_v>("aten::special_chebyshev_polynomial_v"),
    two<chebyshev_w>("aten::special_chebyshev_polynomial_w"),
    two<shifted_chebyshev_t>("aten::special_shifted_chebyshev_polynomial_t"),
    two<shifted_chebyshev_u>("aten::special_shifted_chebyshev_polynomial_u"),
    two<shifted_chebyshev_v>("aten::special_shifted_chebyshev_polynomial_v"),
    two<shifted_chebyshev_w>("aten::special_shifted_chebyshev_polynomial_w"),
    two<hermite_h>("aten::special_hermite_polynomial_h"),
    two<hermite_he>("aten::special_hermite_polynomial_he"),
    two<laguerre_l>("aten::special_laguerre_polynomial_l"),
    two<legendre_p>("aten::special_legendre_polynomial_p"),
    {"aten::igamma", incomplete_gamma<lower_gamma>},
    {"aten::igammac", incomplete_gamma<upper_gamma>},
    {"aten::polygamma", polygamma_of},
    {"aten::mvlgamma", mvlgamma},
};

}  // namespace

std::span<const ops::Kernel> special_kernels() { return pointwise_special_table; }

}  // namespace assay::kernels::reference
