#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

namespace assay::kernels::pointwise {

/// first + sign * alpha * second.
template <bool swapped, int sign>
struct ScaledSum {
  Number alpha;
  bool scales;  ///< By more than 1 or -1, which round nothing.

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    using P = Precise<C>;
    return scales ? static_cast<C>(of(static_cast<P>(a), static_cast<P>(b))) : of(a, b);
  }
  template <typename P>
  ASSAY_ANYWHERE P of(P a, P b) const {
    P scale = product(static_cast<P>(sign), alpha.as<P>());
    return swapped ? sum(b, product(scale, a)) : sum(a, product(scale, b));
  }
};

template <class On, bool swapped, int sign>
void scaled_sum(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  Number alpha(c.scalar(arg::alpha), common);
  On::template compute_over<all_kinds>(c, c.out(), common, in,
                                       ScaledSum<swapped, sign>{alpha, std::fabs(alpha.real) != 1});
}

struct RectifiedSum {
  Number alpha;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    C total = sum(a, product(alpha.as<C>(), b));
    return total < C(0) ? C(0) : total;
  }
};

template <class On>
void sum_rectified(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  Number alpha(c.scalar(arg::alpha), common);
  On::template compute_over<ints | floats>(c, c.out(), common, in, RectifiedSum{alpha});
}

struct Multiply {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return product(a, b);
  }
};
struct Divide {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return quotient(a, b);
  }
};

/// Python's floor division of floats: the quotient is taken after the remainder is removed.
template <class Faults>
struct FloorQuotient {
  Faults faults;

  template <typename C>
  ASSAY_ANYWHERE auto operator()(C a, C b) const {
    if constexpr (is_int<C>)
      return b == 0 ? faults.division_by_zero() : math::floored_quotient(a, b);
    else
      return of_floats(static_cast<double>(a), static_cast<double>(b));
  }
  ASSAY_ANYWHERE static double of_floats(double a, double b) {
    if (b == 0) return a / b;
    double rest = std::fmod(a, b);
    double q = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) q -= 1;
    if (q == 0) return std::copysign(0.0, a / b);
    double floor = std::floor(q);
    return q - floor > 0.5 ? floor + 1 : floor;
  }
};

template <class On>
struct TruncatedQuotient {
  typename On::Faults faults;
  DType common;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_int<C>)
      return b == 0 ? faults.division_by_zero() : math::truncated_quotient(a, b);
    else
      return std::trunc(On::rounded_to(common, a / b));
  }
};

/// The remainder with the divisor's sign.
template <class Faults>
struct Remainder {
  Faults faults;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_int<C>) {
      return b == 0 ? faults.division_by_zero() : math::floored_rest(a, b);
    } else {
      C rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
  }
};

template <class Faults>
struct Fmod {
  Faults faults;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_int<C>)
      return b == 0 ? faults.division_by_zero() : math::truncated_rest(a, b);
    else
      return std::fmod(a, b);
  }
};

/// A division that refuses an int 0.
template <class On, template <class> class F>
void dividing(Call& c) {
  auto in = operands_of<2>(c);
  On::template compute_over<ints | floats>(c, c.out(), common_dtype(c, in), in,
                                           F<typename On::Faults>{On::faults(c)});
}

template <class On>
void divide_rounded(Call& c) {
  if (c.is_none(arg::rounding_mode)) {
    return elementwise_float<On, 2, floats | complexes, Divide>(c);
  }
  if (c.string(arg::rounding_mode) == "floor") return dividing<On, FloorQuotient>(c);
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  On::template compute_over<ints | floats>(c, c.out(), common, in,
                                           TruncatedQuotient<On>{On::faults(c), common});
}

struct Power {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    using std::pow;
    if constexpr (is_int<C>)
      return of_ints(a, b);
    else if constexpr (is_complex<C>)
      return b == C(0) ? C(1) : pow(a, b);
    else
      return pow(a, b);
  }
  ASSAY_ANYWHERE static int64_t of_ints(int64_t base, int64_t exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    return math::int_power(base, exponent);
  }
};

/// Squares are common, and cheaper than powers.
struct SquareOfFirst {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C) const {
    return product(a, a);
  }
};

template <class On>
void power(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  if (in[1].is_wrapped_number() && in[1].dtype() == DType::int64) {
    int64_t exponent = *in[1].template device_data<int64_t>();
    base::check(exponent >= 0 || !core::is_integral(common, true),
                "Integers to negative integer powers are not allowed.");
    if (exponent == 2 && On::takes_shortcuts && core::is_floating(common))
      return On::template compute_over<floats>(c, c.out(), common, in, SquareOfFirst{});
  }
  On::template compute_over<all_kinds>(c, c.out(), common, in, Power{});
}

template <class On>
void float_power(Call& c) {
  On::template compute_over<floats | complexes>(c, c.out(), c.out().dtype(), operands_of<2>(c),
                                                Power{});
}

/// Euclid's way: std::gcd counts zero bits by functions that GPUs lack.
ASSAY_ANYWHERE inline uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

struct GreatestDivisor {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const {
    return math::wrapped(greatest_divisor(math::magnitude(a), math::magnitude(b)));
  }
};
struct LeastMultiple {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const {
    uint64_t common = greatest_divisor(math::magnitude(a), math::magnitude(b));
    if (common == 0) return 0;
    int64_t multiple = math::wrapped(math::magnitude(a) / common * math::magnitude(b));
    return multiple < 0 ? math::negate(multiple) : multiple;
  }
};

struct BitAnd {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const { return a & b; }
};
struct BitOr {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const { return a | b; }
};
struct BitXor {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const { return a ^ b; }
};

// Unlike shifts of numbers, which count modulo 64.
struct ShiftLeft {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const {
    return b >= 0 && b < 64 ? math::shift_left(a, b) : 0;
  }
};
struct ShiftRight {
  ASSAY_ANYWHERE int64_t operator()(int64_t a, int64_t b) const {
    return a >> (b >= 0 && b < 64 ? b : 63);
  }
};

/// start + weight * (end - start), from the nearer end.
struct Interpolate {
  template <typename C>
  ASSAY_ANYWHERE auto operator()(C start, C end, C weight) const {
    using P = Precise<C>;
    return between(static_cast<P>(start), static_cast<P>(end), static_cast<P>(weight));
  }
  template <typename P>
  ASSAY_ANYWHERE static P between(P start, P end, P weight) {
    using std::abs;
    return abs(weight) < 0.5 ? start + weight * (end - start)
                             : end - (end - start) * (P(1) - weight);
  }
};
struct InterpolateBy {
  Number weight;

  template <typename C>
  ASSAY_ANYWHERE auto operator()(C start, C end) const {
    using P = Precise<C>;
    return Interpolate::between(static_cast<P>(start), static_cast<P>(end), weight.as<P>());
  }
};

inline void check_same_dtype(DType self, DType other, const char* name) {
  base::check(self == other, "expected dtype ", core::script_name(self), " for `", name,
              "` but got dtype ", core::script_name(other));
}

template <class On>
void lerp_tensor(Call& c) {
  auto in = operands_of<3>(c);
  check_same_dtype(in[0].dtype(), in[1].dtype(), "end");
  check_same_dtype(in[0].dtype(), in[2].dtype(), "weight");
  On::template compute_over<floats | complexes | no_half>(c, c.out(), in[0].dtype(), in,
                                                          Interpolate{});
}

template <class On>
void lerp_number(Call& c) {
  auto in = operands_of<2>(c);
  DType dtype = in[0].dtype();
  check_same_dtype(dtype, in[1].dtype(), "end");
  Number weight(c.scalar(arg::weight), dtype);
  On::template compute_over<floats | complexes | no_half>(c, c.out(), dtype, in,
                                                          InterpolateBy{weight});
}

/// self + value * a * b.
struct AddProduct {
  Number value;

  template <typename C>
  ASSAY_ANYWHERE auto operator()(C self, C a, C b) const {
    using P = Precise<C>;
    P both = product(static_cast<P>(a), static_cast<P>(b));
    return sum(static_cast<P>(self), product(value.as<P>(), both));
  }
};
/// self + value * a / b.
struct AddQuotient {
  Number value;

  template <typename C>
  ASSAY_ANYWHERE auto operator()(C self, C a, C b) const {
    using P = Precise<C>;
    return static_cast<P>(self) + value.as<P>() * (static_cast<P>(a) / static_cast<P>(b));
  }
};

template <class On>
void addcmul(Call& c) {
  auto in = operands_of<3>(c);
  DType common = common_dtype(c, in);
  Number value(c.scalar(arg::value), common);
  On::template compute_over<numbers | no_half>(c, c.out(), common, in, AddProduct{value});
}

template <class On>
void addcdiv(Call& c) {
  auto in = operands_of<3>(c);
  base::check(!core::is_integral(in[1].dtype(), true) || !core::is_integral(in[2].dtype(), true),
              "Integer division with addcdiv is no longer supported, and in a future  release "
              "addcdiv will perform a true division of tensor1 and tensor2.");
  DType common = common_dtype(c, in);
  Number value(c.scalar(arg::value), common);
  On::template compute_over<floats | complexes | no_half>(c, c.out(), common, in,
                                                          AddQuotient{value});
}

template <class On>
inline constexpr ops::Kernel arithmetic_table[] = {
    {"aten::add.Tensor", scaled_sum<On, false, 1>},
    {"aten::sub.Tensor", scaled_sum<On, false, -1>},
    {"aten::rsub.Tensor", scaled_sum<On, true, -1>},
    {"aten::_add_relu.Tensor", sum_rectified<On>},
    {"aten::mul.Tensor", elementwise<On, 2, all_kinds, Multiply>},
    {"aten::div.Tensor", elementwise_float<On, 2, floats | complexes, Divide>},
    {"aten::div.Tensor_mode", divide_rounded<On>},
    {"aten::floor_divide", dividing<On, FloorQuotient>},
    {"aten::remainder.Tensor", dividing<On, Remainder>},
    {"aten::fmod.Tensor", dividing<On, Fmod>},
    {"aten::pow.Tensor_Tensor", power<On>},
    {"aten::float_power.Tensor_Tensor", float_power<On>},
    {"aten::gcd", elementwise<On, 2, ints, GreatestDivisor>},
    {"aten::lcm", elementwise<On, 2, ints, LeastMultiple>},
    {"aten::bitwise_and.Tensor", elementwise<On, 2, bools | ints, BitAnd>},
    {"aten::bitwise_or.Tensor", elementwise<On, 2, bools | ints, BitOr>},
    {"aten::bitwise_xor.Tensor", elementwise<On, 2, bools | ints, BitXor>},
    {"aten::bitwise_left_shift.Tensor", elementwise<On, 2, ints, ShiftLeft>},
    {"aten::bitwise_right_shift.Tensor", elementwise<On, 2, ints, ShiftRight>},
    {"aten::lerp.Tensor", lerp_tensor<On>},
    {"aten::lerp.Scalar", lerp_number<On>},
    {"aten::addcmul", addcmul<On>},
    {"aten::addcdiv", addcdiv<On>},
};

}  // namespace assay::kernels::pointwise
