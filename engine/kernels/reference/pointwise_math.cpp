#include <cmath>
#include <numbers>

#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Complex128;
using core::DType;
using core::Tensor;
using ops::Call;

template <typename T>
inline constexpr bool is_complex = std::is_same_v<T, Complex128>;
template <typename T>
inline constexpr bool is_int = std::is_same_v<T, int64_t>;

// Functions of <cmath> and <complex>, in double.
#define FUNCTION(name) constexpr auto name##_of = [](auto v) { return std::name(v); };
FUNCTION(sqrt)
FUNCTION(exp)
FUNCTION(log)
FUNCTION(log10)
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tan)
FUNCTION(asin)
FUNCTION(acos)
FUNCTION(atan)
FUNCTION(sinh)
FUNCTION(cosh)
FUNCTION(tanh)
FUNCTION(asinh)
FUNCTION(acosh)
FUNCTION(atanh)
FUNCTION(expm1)
FUNCTION(erf)
FUNCTION(erfc)
#undef FUNCTION

constexpr auto log1p_of = [](auto v) {
  if constexpr (is_complex<decltype(v)>)
    return std::log(1.0 + v);
  else
    return std::log1p(v);
};
constexpr auto log2_of = [](auto v) {
  if constexpr (is_complex<decltype(v)>)
    return std::log(v) / std::numbers::ln2;
  else
    return std::log2(v);
};
constexpr auto exp2_of = [](auto v) {
  if constexpr (is_complex<decltype(v)>)
    return std::exp(v * std::numbers::ln2);
  else
    return std::exp2(v);
};
constexpr auto reciprocal_of = [](auto v) { return 1.0 / v; };
constexpr auto rsqrt_of = [](auto v) { return 1.0 / std::sqrt(v); };
constexpr auto sigmoid_of = [](auto v) { return 1.0 / (1.0 + std::exp(-v)); };
constexpr auto sinc_of = [](auto v) {
  using C = decltype(v);
  C angle = v * std::numbers::pi;
  return v == C(0) ? C(1) : std::sin(angle) / angle;
};
constexpr auto to_radians = [](double v) { return v * (std::numbers::pi / 180.0); };
constexpr auto to_degrees = [](double v) { return v * (180.0 / std::numbers::pi); };

int64_t wrapping_negative(int64_t v) { return static_cast<int64_t>(-static_cast<uint64_t>(v)); }

constexpr auto absolute = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return v < 0 ? wrapping_negative(v) : v;
  else
    return std::abs(v);
};
constexpr auto negative = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return wrapping_negative(v);
  else
    return -v;
};
constexpr auto squared = [](auto v) {
  if constexpr (is_int<decltype(v)>) {
    return static_cast<int64_t>(static_cast<uint64_t>(v) * static_cast<uint64_t>(v));
  } else {
    return v * v;
  }
};
constexpr auto sign_of = [](auto v) {
  using C = decltype(v);
  if constexpr (is_complex<C>)
    return v == C(0) ? C(0) : v / std::abs(v);
  else if constexpr (is_int<C>)
    return int64_t{v > 0} - int64_t{v < 0};
  else
    return std::isnan(v) ? 0.0 : static_cast<double>(v > 0) - static_cast<double>(v < 0);
};
constexpr auto floor_of = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return v;
  else
    return std::floor(v);
};
constexpr auto ceil_of = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return v;
  else
    return std::ceil(v);
};
constexpr auto trunc_of = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return v;
  else
    return std::trunc(v);
};
/// Halves go to the even neighbour.
constexpr auto round_of = [](auto v) {
  if constexpr (is_int<decltype(v)>)
    return v;
  else
    return std::nearbyint(v);
};
constexpr auto fraction_of = [](double v) { return v - std::trunc(v); };
constexpr auto bits_flipped = [](int64_t v) { return ~v; };
constexpr auto conjugate = [](auto v) {
  if constexpr (is_complex<decltype(v)>)
    return std::conj(v);
  else
    return v;
};
constexpr auto angle_of = [](auto v) {
  if constexpr (is_complex<decltype(v)>)
    return std::arg(v);
  else
    return std::isnan(v) ? v : v < 0 ? std::numbers::pi : 0.0;
};

void bitwise_not(Call& c) {
  Tensor in = c.tensor(arg::self);
  if (in.dtype() != DType::boolean) return elementwise<1, ints, bits_flipped>(c);
  compute<int64_t, 1>(c.out(), in.dtype(), {in}, [](int64_t v) { return v == 0; });
}

void negate(Call& c) {
  base::check(c.tensor(arg::self).dtype() != DType::boolean,
              "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
              "invert a mask, use the `~` or `logical_not()` operator instead.");
  elementwise<1, numbers, negative>(c);
}

/// Scales by a power of ten, rounds, and scales back, each step in the operand's own precision.
void round_decimals(Call& c) {
  Tensor in = c.tensor(arg::self);
  auto decimals = static_cast<double>(c.integer(arg::decimals));
  if (decimals == 0) return elementwise<1, ints | floats | no_half, round_of>(c);
  DType dtype = in.dtype();
  double scale = rounded_to(dtype, std::pow(10.0, std::fabs(decimals)));
  compute_over<floats | no_half, 1>(c, c.out(), dtype, {in}, [&](double v) {
    if (decimals < 0) return std::nearbyint(rounded_to(dtype, v / scale)) * scale;
    return std::nearbyint(rounded_to(dtype, v * scale)) / scale;
  });
}

double lowest_of(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return -65504.0;
    case DType::bfloat16:
      return -0x1.fep127;
    case DType::float32:
      return -0x1.fffffep127;
    default:
      return -0x1.fffffffffffffp1023;
  }
}

void nan_to_num(Call& c) {
  Tensor in = c.tensor(arg::self);
  DType dtype = in.dtype();
  double low = lowest_of(dtype);
  double nan = c.is_none(arg::nan) ? 0.0 : c.floating(arg::nan);
  double highest = c.is_none(arg::posinf) ? -low : c.floating(arg::posinf);
  double lowest = c.is_none(arg::neginf) ? low : c.floating(arg::neginf);
  compute_over<reals, 1>(c, c.out(), dtype, {in}, [&](auto v) {
    if constexpr (is_int<decltype(v)>)
      return v;
    else
      return std::isnan(v) ? nan : std::isinf(v) ? (v > 0 ? highest : lowest) : v;
  });
}

void logit(Call& c) {
  Tensor in = c.tensor(arg::self);
  bool bounded = !c.is_none(arg::eps);
  double eps = bounded ? c.floating(arg::eps) : 0;
  DType dtype = c.out().dtype();
  compute_over<floats | no_half, 1>(c, c.out(), dtype, {in}, [&](double v) {
    if (bounded) v = v < eps ? eps : v > 1 - eps ? 1 - eps : v;
    return std::log(v / (1 - v));
  });
}

// Functions of two operands.

double log_sum_exp(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}
double log2_sum_exp2(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  return std::fmax(a, b) + std::log1p(std::exp2(-std::fabs(a - b))) / std::numbers::ln2;
}
constexpr auto log_add_exp = [](double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : log_sum_exp(a, b);
};
constexpr auto log_add_exp2 = [](double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : log2_sum_exp2(a, b);
};
constexpr auto x_log_y = [](double x, double y) {
  return std::isnan(y) ? y : x == 0 ? 0.0 : x * std::log(y);
};
constexpr auto x_log1p_y = [](double x, double y) {
  return std::isnan(y) ? y : x == 0 ? 0.0 : x * std::log1p(y);
};
constexpr auto atan2_of = [](double a, double b) { return std::atan2(a, b); };
constexpr auto hypot_of = [](double a, double b) { return std::hypot(a, b); };
constexpr auto copy_sign = [](double a, double b) { return std::copysign(a, b); };

/// The neighbour in the operands' own type.
void next_after(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  compute_over<floats>(c, c.out(), common, in, [&](double a, double b) {
    if (common == DType::float64) return std::nextafter(a, b);
    if (common == DType::float32) {
      return static_cast<double>(std::nextafterf(static_cast<float>(a), static_cast<float>(b)));
    }
    common::not_implemented_for(common, kernel_name(c).c_str());
  });
}

/// x * 2^exponent.
constexpr auto load_exponent = [](auto x, auto exponent) {
  if constexpr (is_complex<decltype(x)>)
    return x * std::pow(2.0, exponent);
  else
    return x * std::exp2(exponent);
};

/// Magnitude and angle as a complex number.
void polar(Call& c) {
  auto in = operands_of<2>(c);
  compute<double>(c.out(), in[0].dtype(), in, [](double magnitude, double angle) {
    return Complex128(magnitude * std::cos(angle), magnitude * std::sin(angle));
  });
}

/// x = mantissa * 2^exponent, the mantissa in [0.5, 1).
void frexp(Call& c) {
  Tensor in = c.tensor(arg::self);
  compute<double, 1>(c.out(0), in.dtype(), {in}, [](double v) {
    int exponent = 0;
    return std::frexp(v, &exponent);
  });
  compute<double, 1>(c.out(1), in.dtype(), {in}, [](double v) {
    int exponent = 0;
    if (std::isfinite(v)) static_cast<void>(std::frexp(v, &exponent));
    return static_cast<int64_t>(exponent);
  });
}

constexpr unsigned wide = floats | complexes;
constexpr unsigned wide_not_half = wide | no_half;
constexpr unsigned rounding = ints | floats | no_half;

constexpr ops::Kernel pointwise_math_table[] = {
    {"aten::sqrt", elementwise_float<1, wide_not_half, sqrt_of>},
    {"aten::rsqrt", elementwise_float<1, wide_not_half, rsqrt_of>},
    {"aten::reciprocal", elementwise_float<1, wide, reciprocal_of>},
    {"aten::exp", elementwise_float<1, wide_not_half, exp_of>},
    {"aten::exp2", elementwise_float<1, floats, exp2_of>},
    {"aten::expm1", elementwise_float<1, floats | no_half, expm1_of>},
    {"aten::log", elementwise_float<1, wide_not_half, log_of>},
    {"aten::log1p", elementwise_float<1, floats | no_half, log1p_of>},
    {"aten::log2", elementwise_float<1, wide_not_half, log2_of>},
    {"aten::log10", elementwise_float<1, wide_not_half, log10_of>},
    {"aten::sin", elementwise_float<1, wide_not_half, sin_of>},
    {"aten::cos", elementwise_float<1, wide_not_half, cos_of>},
    {"aten::tan", elementwise_float<1, wide_not_half, tan_of>},
    {"aten::asin", elementwise_float<1, wide_not_half, asin_of>},
    {"aten::acos", elementwise_float<1, wide_not_half, acos_of>},
    {"aten::atan", elementwise_float<1, wide_not_half, atan_of>},
    {"aten::sinh", elementwise_float<1, wide_not_half, sinh_of>},
    {"aten::cosh", elementwise_float<1, wide_not_half, cosh_of>},
    {"aten::tanh", elementwise_float<1, wide_not_half, tanh_of>},
    {"aten::asinh", elementwise_float<1, wide_not_half, asinh_of>},
    {"aten::acosh", elementwise_float<1, wide_not_half, acosh_of>},
    {"aten::atanh", elementwise_float<1, wide_not_half, atanh_of>},
    {"aten::erf", elementwise_float<1, floats | no_half, erf_of>},
    {"aten::erfc", elementwise_float<1, floats | no_half, erfc_of>},
    {"aten::sigmoid", elementwise_float<1, wide_not_half, sigmoid_of>},
    {"aten::sinc", elementwise_float<1, wide_not_half, sinc_of>},
    {"aten::deg2rad", elementwise_float<1, floats, to_radians>},
    {"aten::rad2deg", elementwise_float<1, floats, to_degrees>},
    {"aten::logit", logit},
    {"aten::abs", elementwise<1, numbers, absolute>},
    {"aten::neg", negate},
    {"aten::square", elementwise<1, all_kinds, squared>},
    {"aten::sign", elementwise<1, reals, sign_of>},
    {"aten::sgn", elementwise<1, all_kinds, sign_of>},
    {"aten::floor", elementwise<1, rounding, floor_of>},
    {"aten::ceil", elementwise<1, rounding, ceil_of>},
    {"aten::trunc", elementwise<1, rounding, trunc_of>},
    {"aten::round", elementwise<1, rounding, round_of>},
    {"aten::round.decimals", round_decimals},
    {"aten::frac", elementwise<1, floats, fraction_of>},
    {"aten::bitwise_not", bitwise_not},
    {"aten::conj_physical", elementwise<1, all_kinds, conjugate>},
    {"aten::angle", elementwise_float<1, wide, angle_of>},
    {"aten::nan_to_num", nan_to_num},
    {"aten::logaddexp", elementwise<2, floats | no_half, log_add_exp>},
    {"aten::logaddexp2", elementwise<2, floats | no_half, log_add_exp2>},
    {"aten::xlogy.Tensor", elementwise_float<2, floats, x_log_y>},
    {"aten::special_xlog1py", elementwise_float<2, floats, x_log1p_y>},
    {"aten::atan2", elementwise_float<2, floats | no_half, atan2_of>},
    {"aten::hypot", elementwise<2, floats | no_half, hypot_of>},
    {"aten::copysign.Tensor", elementwise_float<2, floats, copy_sign>},
    {"aten::nextafter", next_after},
    {"aten::polar", polar},
    {"aten::frexp.Tensor", frexp},
    {"aten::ldexp.Tensor", elementwise_float<2, wide, load_exponent>},
};

}  // namespace

std::span<const ops::Kernel> math_kernels() { return pointwise_math_table; }

}  // namespace assay::kernels::reference
