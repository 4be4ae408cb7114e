#pragma once

#include "engine/kernels/common/pointwise/bessel_functions.h"
#include "engine/kernels/common/pointwise/gamma_functions.h"
#include "engine/kernels/common/pointwise/numbers.h"
#include "engine/kernels/common/pointwise/polynomials.h"

// Operators that are special functions. All are computed in double.
namespace assay::kernels::pointwise {

template <double (*f)(double)>
struct OfOne {
  static constexpr bool in_double = true;
  ASSAY_ANYWHERE double operator()(double x) const { return f(x); }
};

template <class On, double (*f)(double), unsigned kinds = floats | no_half | no_bfloat>
constexpr ops::Kernel one(std::string_view name) {
  return {name, elementwise_float<On, 1, kinds, OfOne<f>>};
}

template <class On, class Polynomial>
struct OfDegree {
  static constexpr bool in_double = true;
  typename On::Faults faults;
  ASSAY_ANYWHERE double operator()(double x, double n) const {
    return special::polynomial<Polynomial>(x, n, faults.patience());
  }
};
template <class On>
struct Zeta {
  static constexpr bool in_double = true;
  typename On::Faults faults;
  ASSAY_ANYWHERE double operator()(double s, double q) const {
    return special::hurwitz_zeta(s, q, faults.patience());
  }
};

/// Two operands in their promoted type; integers are the default float type.
template <class On, class F>
void patient(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  if (core::is_integral(common, true)) common = c.context.default_dtype;
  On::template compute_over<floats | no_half | no_bfloat>(c, c.out(), common, in, F{On::faults(c)});
}

template <class On, bool upper>
struct IncompleteGamma {
  static constexpr bool in_double = true;
  typename On::Faults faults;
  ASSAY_ANYWHERE double operator()(double a, double x) const {
    return upper ? special::upper_gamma(a, x, faults.patience())
                 : special::lower_gamma(a, x, faults.patience());
  }
};

template <class On, bool upper>
void incomplete_gamma(Call& c) {
  auto in = operands_of<2>(c);
  On::template compute_over<floats>(c, c.out(), common_dtype(c, in), in,
                                    IncompleteGamma<On, upper>{On::faults(c)});
}

template <class On>
struct Polygamma {
  static constexpr bool in_double = true;
  typename On::Faults faults;
  int64_t n;
  ASSAY_ANYWHERE double operator()(double x) const {
    return special::polygamma(n, x, faults.patience());
  }
};
template <class On>
struct MultivariateLogGamma {
  static constexpr bool in_double = true;
  typename On::Faults faults;
  int64_t p;
  ASSAY_ANYWHERE double operator()(double x) const {
    return special::multivariate_lgamma(x, p, faults.patience());
  }
};

/// polygamma(n, self): the tensor is the second argument.
template <class On>
void polygamma_of(Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n >= 0, "polygamma(n, x) does not support negative n.");
  On::template compute_over<floats, 1>(c, c.out(), c.out().dtype(), {c.tensor(arg::self)},
                                       Polygamma<On>{On::faults(c), n});
}

template <class On>
void mvlgamma(Call& c) {
  int64_t p = c.integer(arg::p);
  base::check(p >= 1, "p has to be greater than or equal to 1");
  On::template compute_over<floats, 1>(c, c.out(), c.out().dtype(), {c.tensor(arg::self)},
                                       MultivariateLogGamma<On>{On::faults(c), p});
}

template <class On>
inline constexpr ops::Kernel special_table[] = {
    one<On, special::log_gamma, floats | no_half>("aten::lgamma"),
    one<On, special::digamma, floats | no_half>("aten::digamma"),
    one<On, special::erf_inverse, floats | no_half>("aten::erfinv"),
    one<On, special::normal_quantile>("aten::special_ndtri"),
    one<On, special::normal_distribution, floats | no_half>("aten::special_ndtr"),
    one<On, special::normal_log_distribution>("aten::special_log_ndtr"),
    one<On, special::erfc_scaled>("aten::special_erfcx"),
    one<On, special::entropy_term, floats | no_half>("aten::special_entr"),
    one<On, special::bessel_i0, floats | no_half>("aten::i0"),
    one<On, special::bessel_i0_scaled, floats | no_half>("aten::special_i0e"),
    one<On, special::bessel_i1>("aten::special_i1"),
    one<On, special::bessel_i1_scaled>("aten::special_i1e"),
    one<On, special::bessel_i0>("aten::special_modified_bessel_i0"),
    one<On, special::bessel_i1>("aten::special_modified_bessel_i1"),
    one<On, special::bessel_k0>("aten::special_modified_bessel_k0"),
    one<On, special::bessel_k1>("aten::special_modified_bessel_k1"),
    one<On, special::bessel_k0_scaled>("aten::special_scaled_modified_bessel_k0"),
    one<On, special::bessel_k1_scaled>("aten::special_scaled_modified_bessel_k1"),
    one<On, special::bessel_j0>("aten::special_bessel_j0"),
    one<On, special::bessel_j1>("aten::special_bessel_j1"),
    one<On, special::bessel_y0>("aten::special_bessel_y0"),
    one<On, special::bessel_y1>("aten::special_bessel_y1"),
    one<On, special::spherical_bessel_j0>("aten::special_spherical_bessel_j0"),
    {"aten::special_zeta", patient<On, Zeta<On>>},
    {"aten::special_chebyshev_polynomial_t", patient<On, OfDegree<On, special::ChebyshevT>>},
    {"aten::special_chebyshev_polynomial_u", patient<On, OfDegree<On, special::ChebyshevU>>},
    {"aten::special_chebyshev_polynomial_v", patient<On, OfDegree<On, special::ChebyshevV>>},
    {"aten::special_chebyshev_polynomial_w", patient<On, OfDegree<On, special::ChebyshevW>>},
    {"aten::special_shifted_chebyshev_polynomial_t",
     patient<On, OfDegree<On, special::Shifted<special::ChebyshevT>>>},
    {"aten::special_shifted_chebyshev_polynomial_u",
     patient<On, OfDegree<On, special::Shifted<special::ChebyshevU>>>},
    {"aten::special_shifted_chebyshev_polynomial_v",
     patient<On, OfDegree<On, special::Shifted<special::ChebyshevV>>>},
    {"aten::special_shifted_chebyshev_polynomial_w",
     patient<On, OfDegree<On, special::Shifted<special::ChebyshevW>>>},
    {"aten::special_hermite_polynomial_h", patient<On, OfDegree<On, special::HermiteH>>},
    {"aten::special_hermite_polynomial_he", patient<On, OfDegree<On, special::HermiteHe>>},
    {"aten::special_laguerre_polynomial_l", patient<On, OfDegree<On, special::LaguerreL>>},
    {"aten::special_legendre_polynomial_p", patient<On, OfDegree<On, special::LegendreP>>},
    {"aten::igamma", incomplete_gamma<On, false>},
    {"aten::igammac", incomplete_gamma<On, true>},
    {"aten::polygamma", polygamma_of<On>},
    {"aten::mvlgamma", mvlgamma<On>},
};

}  // namespace assay::kernels::pointwise
