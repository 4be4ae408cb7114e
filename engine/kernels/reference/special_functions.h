#pragma once

#include <cstdint>

namespace assay::kernels::reference {

// Special functions of real numbers in double precision, with PyTorch's values at poles and outside
// of their domains. Sources: DLMF (https://dlmf.nist.gov), by section.

double digamma(double x);                 ///< 5.2: derivative of log gamma; NaN at poles but 0.
double polygamma(int64_t n, double x);    ///< 5.15: the n-th derivative of digamma.
double hurwitz_zeta(double s, double q);  ///< 25.11: sum of (q + k)^-s.
double multivariate_lgamma(double x, int64_t p);
double lower_gamma(double a, double x);    ///< 8.2: P(a, x).
double upper_gamma(double a, double x);    ///< 8.2: Q(a, x) = 1 - P(a, x).
double erf_inverse(double y);              ///< 7.17.
double erfc_scaled(double x);              ///< 7.2: exp(x^2) erfc(x).
double normal_quantile(double p);          ///< The x where the normal distribution is p.
double normal_log_distribution(double x);  ///< Logarithm of the normal distribution at x.
double entropy_term(double x);             ///< -x log x.

double bessel_j0(double x);  ///< 10.2.
double bessel_j1(double x);
double bessel_y0(double x);
double bessel_y1(double x);
double bessel_i0(double x);  ///< 10.25.
double bessel_i1(double x);
double bessel_i0_scaled(double x);  ///< exp(-|x|) I0(x).
double bessel_i1_scaled(double x);
double bessel_k0(double x);
double bessel_k1(double x);
double bessel_k0_scaled(double x);  ///< exp(x) K0(x).
double bessel_k1_scaled(double x);
double spherical_bessel_j0(double x);  ///< 10.47: sin(x) / x.
double airy_ai(double x);              ///< 9.2.

// Orthogonal polynomials of degree n (18.9); 0 for negative degrees.
double chebyshev_t(double x, double n);
double chebyshev_u(double x, double n);
double chebyshev_v(double x, double n);
double chebyshev_w(double x, double n);
double shifted_chebyshev_t(double x, double n);
double shifted_chebyshev_u(double x, double n);
double shifted_chebyshev_v(double x, double n);
double shifted_chebyshev_w(double x, double n);
double hermite_h(double x, double n);
double hermite_he(double x, double n);
double laguerre_l(double x, double n);
double legendre_p(double x, double n);

}  // namespace assay::kernels::reference
