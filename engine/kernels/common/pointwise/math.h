#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

namespace assay::kernels::pointwise {

// Functions of <cmath> and <complex>, those of other complex numbers by their arguments' namespace.
#define FUNCTION(Name, name)                    \
  struct Name {                                 \
    template <typename C>                       \
    ASSAY_ANYWHERE auto operator()(C v) const { \
      using std::name;                          \
      return name(v);                           \
    }                                           \
  };
FUNCTION(Sqrt, sqrt)
FUNCTION(Exp, exp)
FUNCTION(Expm1, expm1)
FUNCTION(Log, log)
FUNCTION(Log1p, log1p)
FUNCTION(Log10, log10)
FUNCTION(Sin, sin)
FUNCTION(Cos, cos)
FUNCTION(Tan, tan)
FUNCTION(Asin, asin)
FUNCTION(Acos, acos)
FUNCTION(Atan, atan)
FUNCTION(Sinh, sinh)
FUNCTION(Cosh, cosh)
FUNCTION(Tanh, tanh)
FUNCTION(Asinh, asinh)
FUNCTION(Acosh, acosh)
FUNCTION(Atanh, atanh)
FUNCTION(Erf, erf)
FUNCTION(Erfc, erfc)
FUNCTION(Exp2, exp2)
#undef FUNCTION

struct Log2 {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    using std::log;
    if constexpr (is_complex<C>) {
      Part<C> base = std::numbers::ln2_v<Part<C>>;
      return log(v) / base;
    } else {
      return std::log2(v);
    }
  }
};
struct Reciprocal {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    return Part<C>(1) / v;
  }
};
struct ReciprocalSqrt {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    using std::sqrt;
    return Part<C>(1) / sqrt(v);
  }
};
struct Sigmoid {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    using std::exp;
    return Part<C>(1) / (Part<C>(1) + exp(-v));
  }
};
/// sin(pi v) / (pi v), in double: near zeros of the sine a rounded angle would show.
struct Sinc {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    using std::sin;
    using P = Precise<C>;
    double pi = std::numbers::pi;
    P angle = static_cast<P>(v) * pi;
    return v == C(0) ? C(1) : static_cast<C>(sin(angle) / angle);
  }
};
struct ToRadians {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    return v * static_cast<C>(std::numbers::pi / 180.0);
  }
};
struct ToDegrees {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    return v * static_cast<C>(180.0 / std::numbers::pi);
  }
};

/// log(v / (1 - v)) of a v kept away from the ends: in double, since the logarithm of what is
/// nearly 1 shows its rounding.
struct Logit {
  static constexpr bool in_double = true;
  bool bounded;
  double eps;

  template <typename C>
  ASSAY_ANYWHERE double operator()(C given) const {
    double v = given;
    if (bounded) v = v < eps ? eps : v > 1 - eps ? 1 - eps : v;
    return std::log(v / (1 - v));
  }
};

template <class On>
void logit(Call& c) {
  Tensor in = c.tensor(arg::self);
  bool bounded = !c.is_none(arg::eps);
  double eps = bounded ? c.floating(arg::eps) : 0;
  On::template compute_over<floats | no_half, 1>(c, c.out(), c.out().dtype(), {in},
                                                 Logit{bounded, eps});
}

// Functions of two operands.

struct LogAddExp {
  static constexpr bool in_double = true;
  template <typename C>
  ASSAY_ANYWHERE double operator()(C first, C second) const {
    double a = first, b = second;
    if (std::isnan(a) || std::isnan(b)) return a + b;
    if (std::isinf(a) && a == b) return a;
    return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
  }
};
struct LogAddExp2 {
  static constexpr bool in_double = true;
  template <typename C>
  ASSAY_ANYWHERE double operator()(C first, C second) const {
    double a = first, b = second;
    if (std::isnan(a) || std::isnan(b)) return a + b;
    if (std::isinf(a) && a == b) return a;
    return std::fmax(a, b) + std::log1p(std::exp2(-std::fabs(a - b))) / std::numbers::ln2;
  }
};
struct XLogY {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x, C y) const {
    return std::isnan(y) ? y : x == 0 ? C(0) : x * std::log(y);
  }
};
struct XLog1pY {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x, C y) const {
    return std::isnan(y) ? y : x == 0 ? C(0) : x * std::log1p(y);
  }
};
struct Atan2 {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return std::atan2(a, b);
  }
};
struct Hypot {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return std::hypot(a, b);
  }
};
/// x * 2^exponent.
struct LoadExponent {
  template <typename C>
  ASSAY_ANYWHERE auto operator()(C x, C exponent) const {
    using std::pow;
    if constexpr (is_complex<C>)
      return x * pow(Part<C>(2), exponent);
    else
      return static_cast<double>(x) * std::exp2(static_cast<double>(exponent));
  }
};

/// Magnitude and angle as a complex number.
template <class On>
struct Polar {
  template <typename C>
  ASSAY_ANYWHERE auto operator()(C magnitude, C angle) const {
    return
        typename On::template Complex<C>(magnitude * std::cos(angle), magnitude * std::sin(angle));
  }
};

template <class On>
void polar(Call& c) {
  auto in = operands_of<2>(c);
  On::template compute_over<floats>(c, c.out(), in[0].dtype(), in, Polar<On>{});
}

inline constexpr unsigned wide = floats | complexes;
inline constexpr unsigned wide_not_half = wide | no_half;

template <class On>
inline constexpr ops::Kernel function_table[] = {
    {"aten::sqrt", elementwise_float<On, 1, wide_not_half, Sqrt>},
    {"aten::rsqrt", elementwise_float<On, 1, wide_not_half, ReciprocalSqrt>},
    {"aten::reciprocal", elementwise_float<On, 1, wide, Reciprocal>},
    {"aten::exp", elementwise_float<On, 1, wide_not_half, Exp>},
    {"aten::exp2", elementwise_float<On, 1, floats, Exp2>},
    {"aten::expm1", elementwise_float<On, 1, floats | no_half, Expm1>},
    {"aten::log", elementwise_float<On, 1, wide_not_half, Log>},
    {"aten::log1p", elementwise_float<On, 1, floats | no_half, Log1p>},
    {"aten::log2", elementwise_float<On, 1, wide_not_half, Log2>},
    {"aten::log10", elementwise_float<On, 1, wide_not_half, Log10>},
    {"aten::erf", elementwise_float<On, 1, floats | no_half, Erf>},
    {"aten::erfc", elementwise_float<On, 1, floats | no_half, Erfc>},
    {"aten::sigmoid", elementwise_float<On, 1, wide_not_half, Sigmoid>},
    {"aten::deg2rad", elementwise_float<On, 1, floats, ToRadians>},
    {"aten::rad2deg", elementwise_float<On, 1, floats, ToDegrees>},
    {"aten::logit", logit<On>},
    {"aten::logaddexp", elementwise<On, 2, floats | no_half, LogAddExp>},
    {"aten::logaddexp2", elementwise<On, 2, floats | no_half, LogAddExp2>},
    {"aten::xlogy.Tensor", elementwise_float<On, 2, floats, XLogY>},
    {"aten::special_xlog1py", elementwise_float<On, 2, floats, XLog1pY>},
    {"aten::hypot", elementwise<On, 2, floats | no_half, Hypot>},
    {"aten::ldexp.Tensor", elementwise_float<On, 2, wide, LoadExponent>},
};

template <class On>
inline constexpr ops::Kernel angle_table[] = {
    {"aten::sin", elementwise_float<On, 1, wide_not_half, Sin>},
    {"aten::cos", elementwise_float<On, 1, wide_not_half, Cos>},
    {"aten::tan", elementwise_float<On, 1, wide_not_half, Tan>},
    {"aten::asin", elementwise_float<On, 1, wide_not_half, Asin>},
    {"aten::acos", elementwise_float<On, 1, wide_not_half, Acos>},
    {"aten::atan", elementwise_float<On, 1, wide_not_half, Atan>},
    {"aten::sinh", elementwise_float<On, 1, wide_not_half, Sinh>},
    {"aten::cosh", elementwise_float<On, 1, wide_not_half, Cosh>},
    {"aten::tanh", elementwise_float<On, 1, wide_not_half, Tanh>},
    {"aten::asinh", elementwise_float<On, 1, wide_not_half, Asinh>},
    {"aten::acosh", elementwise_float<On, 1, wide_not_half, Acosh>},
    {"aten::atanh", elementwise_float<On, 1, wide_not_half, Atanh>},
    {"aten::sinc", elementwise_float<On, 1, wide_not_half, Sinc>},
    {"aten::atan2", elementwise_float<On, 2, floats | no_half, Atan2>},
    {"aten::polar", polar<On>},
};

}  // namespace assay::kernels::pointwise
