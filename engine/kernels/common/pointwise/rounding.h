#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

// Functions that change a number's sign or round it, and those of its parts.
namespace assay::kernels::pointwise {

struct Absolute {
  template <typename C>
  ASSAY_ANYWHERE auto operator()(C v) const {
    using std::abs;
    if constexpr (is_int<C>)
      return v < 0 ? math::negate(v) : v;
    else
      return abs(v);
  }
};
struct Negative {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    if constexpr (is_int<C>)
      return math::negate(v);
    else
      return -v;
  }
};
struct Squared {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    return product(v, v);
  }
};
struct Sign {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    using std::abs;
    if constexpr (is_complex<C>) {
      return v == C(0) ? C(0) : v / abs(v);
    } else {
      C sign = static_cast<C>(v > 0) - static_cast<C>(v < 0);
      return sign;  // 0 of NaN, which compares false.
    }
  }
};

/// Integers are round.
#define ROUNDING(Name, name)                 \
  struct Name {                              \
    template <typename C>                    \
    ASSAY_ANYWHERE C operator()(C v) const { \
      if constexpr (is_int<C>)               \
        return v;                            \
      else                                   \
        return std::name(v);                 \
    }                                        \
  };
ROUNDING(Floor, floor)
ROUNDING(Ceil, ceil)
ROUNDING(Trunc, trunc)
ROUNDING(Round, nearbyint)  // Halves go to the even neighbour.
#undef ROUNDING

struct Fraction {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    return v - std::trunc(v);
  }
};
struct BitsFlipped {
  ASSAY_ANYWHERE int64_t operator()(int64_t v) const { return ~v; }
};
struct IsZero {
  ASSAY_ANYWHERE bool operator()(int64_t v) const { return v == 0; }
};
struct Conjugate {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    if constexpr (is_complex<C>)
      return conj(v);
    else
      return v;
  }
};
struct Angle {
  template <typename C>
  ASSAY_ANYWHERE Part<C> operator()(C v) const {
    if constexpr (is_complex<C>)
      return std::atan2(v.imag(), v.real());
    else
      return std::isnan(v) ? v : v < 0 ? std::numbers::pi_v<C> : C(0);
  }
};
struct CopySign {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return std::copysign(a, b);
  }
};

template <class On>
void bitwise_not(Call& c) {
  Tensor in = c.tensor(arg::self);
  if (in.dtype() != DType::boolean) return elementwise<On, 1, ints, BitsFlipped>(c);
  On::template compute_over<bools, 1>(c, c.out(), in.dtype(), {in}, IsZero{});
}

template <class On>
void negate(Call& c) {
  base::check(c.tensor(arg::self).dtype() != DType::boolean,
              "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
              "invert a mask, use the `~` or `logical_not()` operator instead.");
  elementwise<On, 1, numbers, Negative>(c);
}

/// Scales by a power of ten, rounds, and scales back, each step in the operand's own precision.
template <class On>
struct RoundDecimals {
  static constexpr bool in_double = true;
  DType dtype;
  bool divides;
  double scale;

  template <typename C>
  ASSAY_ANYWHERE double operator()(C given) const {
    double v = given;
    if (divides) return std::nearbyint(On::rounded_to(dtype, v / scale)) * scale;
    return std::nearbyint(On::rounded_to(dtype, v * scale)) / scale;
  }
};

template <class On>
void round_decimals(Call& c) {
  Tensor in = c.tensor(arg::self);
  auto decimals = static_cast<double>(c.integer(arg::decimals));
  if (decimals == 0) return elementwise<On, 1, ints | floats | no_half, Round>(c);
  DType dtype = in.dtype();
  double scale = On::rounded_to(dtype, std::pow(10.0, std::fabs(decimals)));
  On::template compute_over<floats | no_half, 1>(c, c.out(), dtype, {in},
                                                 RoundDecimals<On>{dtype, decimals < 0, scale});
}

inline double lowest_of(DType dtype) {
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

struct Finite {
  double nan, lowest, highest;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    if constexpr (is_int<C>)
      return v;
    else
      return std::isnan(v)   ? static_cast<C>(nan)
             : std::isinf(v) ? static_cast<C>(v > 0 ? highest : lowest)
                             : v;
  }
};

template <class On>
void nan_to_num(Call& c) {
  Tensor in = c.tensor(arg::self);
  DType dtype = in.dtype();
  double low = lowest_of(dtype);
  Finite finite{c.is_none(arg::nan) ? 0.0 : c.floating(arg::nan),
                c.is_none(arg::neginf) ? low : c.floating(arg::neginf),
                c.is_none(arg::posinf) ? -low : c.floating(arg::posinf)};
  On::template compute_over<reals, 1>(c, c.out(), dtype, {in}, finite);
}

/// The neighbour in the operands' own type.
struct NextAfter {
  bool in_float;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if (in_float)
      return static_cast<C>(std::nextafter(static_cast<float>(a), static_cast<float>(b)));
    return std::nextafter(a, b);
  }
};

template <class On>
void next_after(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  if (c.out().numel() > 0 && (common == DType::float16 || common == DType::bfloat16))
    common::not_implemented_for(common, common::kernel_name(c).c_str());
  On::template compute_over<floats>(c, c.out(), common, in, NextAfter{common == DType::float32});
}

/// x = mantissa * 2^exponent, the mantissa in [0.5, 1).
struct Mantissa {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v) const {
    int exponent = 0;
    return std::frexp(v, &exponent);
  }
};
struct Exponent {
  template <typename C>
  ASSAY_ANYWHERE int64_t operator()(C v) const {
    int exponent = 0;
    if (std::isfinite(v)) static_cast<void>(std::frexp(v, &exponent));
    return exponent;
  }
};

template <class On>
void frexp(Call& c) {
  Tensor in = c.tensor(arg::self);
  On::template compute_over<floats, 1>(c, c.out(0), in.dtype(), {in}, Mantissa{});
  On::template compute_over<floats, 1>(c, c.out(1), in.dtype(), {in}, Exponent{});
}

inline constexpr unsigned rounding = ints | floats | no_half;

template <class On>
inline constexpr ops::Kernel rounding_table[] = {
    {"aten::abs", elementwise<On, 1, numbers, Absolute>},
    {"aten::neg", negate<On>},
    {"aten::square", elementwise<On, 1, all_kinds, Squared>},
    {"aten::sign", elementwise<On, 1, reals, Sign>},
    {"aten::sgn", elementwise<On, 1, all_kinds, Sign>},
    {"aten::floor", elementwise<On, 1, rounding, Floor>},
    {"aten::ceil", elementwise<On, 1, rounding, Ceil>},
    {"aten::trunc", elementwise<On, 1, rounding, Trunc>},
    {"aten::round", elementwise<On, 1, rounding, Round>},
    {"aten::round.decimals", round_decimals<On>},
    {"aten::frac", elementwise<On, 1, floats, Fraction>},
    {"aten::bitwise_not", bitwise_not<On>},
    {"aten::conj_physical", elementwise<On, 1, all_kinds, Conjugate>},
    {"aten::angle", elementwise_float<On, 1, floats | complexes, Angle>},
    {"aten::nan_to_num", nan_to_num<On>},
    {"aten::copysign.Tensor", elementwise_float<On, 2, floats, CopySign>},
    {"aten::nextafter", next_after<On>},
    {"aten::frexp.Tensor", frexp<On>},
};

}  // namespace assay::kernels::pointwise
