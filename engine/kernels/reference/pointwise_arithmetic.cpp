#include <cmath>
#include <numeric>

#include "engine/core/scalar_math.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Complex128;
using core::DType;
using core::Tensor;
using ops::Call;
namespace math = core::math;

template <typename C>
C alpha_as(const core::Scalar& alpha) {
  if constexpr (std::is_same_v<C, Complex128>)
    return alpha.to_complex();
  else if constexpr (std::is_same_v<C, double>)
    return alpha.to_double();
  else
    return alpha.to_int();
}

/// first + sign * alpha * second.
template <bool swapped, int sign>
void scaled_sum(Call& c) {
  auto in = operands_of<2>(c);
  core::Scalar alpha = c.scalar(arg::alpha);
  compute_over<all_kinds>(c, c.out(), common_dtype(c, in), in, [&](auto a, auto b) {
    using C = decltype(a);
    C scale = math::multiply(static_cast<C>(sign), alpha_as<C>(alpha));
    return swapped ? math::add(b, math::multiply(scale, a))
                   : math::add(a, math::multiply(scale, b));
  });
}

void sum_rectified(Call& c) {
  auto in = operands_of<2>(c);
  core::Scalar alpha = c.scalar(arg::alpha);
  compute_over<ints | floats>(c, c.out(), common_dtype(c, in), in, [&](auto a, auto b) {
    using C = decltype(a);
    C total = math::add(a, math::multiply(alpha_as<C>(alpha), b));
    return total < C(0) ? C(0) : total;
  });
}

constexpr auto multiply = [](auto a, auto b) { return math::multiply(a, b); };
constexpr auto divide = [](auto a, auto b) { return math::divide(a, b); };

/// A divisor of an int.
int64_t divisor(int64_t b) {
  base::check(b != 0, "ZeroDivisionError");
  return b;
}
int64_t floored_quotient(int64_t a, int64_t b) { return math::floored_quotient(a, divisor(b)); }

/// Python's floor division of floats: the quotient is taken after the remainder is removed.
double floored_quotient(double a, double b) {
  if (b == 0) return a / b;
  double rest = std::fmod(a, b);
  double q = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) q -= 1;
  if (q == 0) return std::copysign(0.0, a / b);
  double floor = std::floor(q);
  return q - floor > 0.5 ? floor + 1 : floor;
}

constexpr auto floor_quotient = [](auto a, auto b) { return floored_quotient(a, b); };

void divide_rounded(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  if (c.is_none(arg::rounding_mode)) {
    if (core::is_integral(common, true)) common = c.context.default_dtype;
    return compute_over<floats | complexes>(c, c.out(), common, in, divide);
  }
  if (c.string(arg::rounding_mode) == "floor") {
    return compute_over<ints | floats>(c, c.out(), common, in, floor_quotient);
  }
  compute_over<ints | floats>(c, c.out(), common, in, [&](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), int64_t>)
      return math::truncated_quotient(a, divisor(b));
    else
      return std::trunc(rounded_to(common, a / b));
  });
}

/// The remainder with the divisor's sign.
constexpr auto remainder = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), int64_t>) {
    return math::floored_rest(a, divisor(b));
  } else {
    double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};

constexpr auto fmod_of = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), int64_t>)
    return math::truncated_rest(a, divisor(b));
  else
    return std::fmod(a, b);
};

int64_t int_power(int64_t base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  return math::int_power(base, exponent);
}

constexpr auto power_of = [](auto a, auto b) {
  using C = decltype(a);
  if constexpr (std::is_same_v<C, int64_t>)
    return int_power(a, b);
  else if constexpr (std::is_same_v<C, Complex128>)
    return b == C(0) ? C(1) : std::pow(a, b);
  else
    return std::pow(a, b);
};

void power(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  if (in[1].is_wrapped_number() && in[1].dtype() == DType::int64 &&
      core::is_integral(common, true)) {
    base::check(*in[1].device_data<int64_t>() >= 0,
                "Integers to negative integer powers are not allowed.");
  }
  compute_over<all_kinds>(c, c.out(), common, in, power_of);
}

void float_power(Call& c) {
  compute_over<floats | complexes>(c, c.out(), c.out().dtype(), operands_of<2>(c), power_of);
}

constexpr auto gcd_of = [](int64_t a, int64_t b) {
  return math::wrapped(std::gcd(math::magnitude(a), math::magnitude(b)));
};
constexpr auto lcm_of = [](int64_t a, int64_t b) {
  uint64_t common = std::gcd(math::magnitude(a), math::magnitude(b));
  if (common == 0) return int64_t{0};
  int64_t multiple = math::wrapped(math::magnitude(a) / common * math::magnitude(b));
  return multiple < 0 ? math::negate(multiple) : multiple;
};

constexpr auto bit_and = [](int64_t a, int64_t b) { return a & b; };
constexpr auto bit_or = [](int64_t a, int64_t b) { return a | b; };
constexpr auto bit_xor = [](int64_t a, int64_t b) { return a ^ b; };

// Unlike shifts of numbers, which count modulo 64.
constexpr auto shift_left = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), double>)
    return a * std::exp2(b);
  else
    return b >= 0 && b < 64 ? math::shift_left(a, b) : 0;
};
constexpr auto shift_right = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), double>)
    return a / std::exp2(b);
  else
    return a >> (b >= 0 && b < 64 ? b : 63);
};

/// start + weight * (end - start), from the nearer end.
constexpr auto interpolate = [](auto start, auto end, auto weight) {
  using C = decltype(start);
  return std::abs(weight) < 0.5 ? start + weight * (end - start)
                                : end - (end - start) * (C(1) - weight);
};

void lerp_tensor(Call& c) {
  auto in = operands_of<3>(c);
  base::check(in[0].dtype() == in[1].dtype(), "expected dtype ", core::script_name(in[0].dtype()),
              " for `end` but got dtype ", core::script_name(in[1].dtype()));
  base::check(in[0].dtype() == in[2].dtype(), "expected dtype ", core::script_name(in[0].dtype()),
              " for `weight` but got dtype ", core::script_name(in[2].dtype()));
  compute_over<floats | complexes | no_half>(c, c.out(), in[0].dtype(), in, interpolate);
}

void lerp_number(Call& c) {
  auto in = operands_of<2>(c);
  base::check(in[0].dtype() == in[1].dtype(), "expected dtype ", core::script_name(in[0].dtype()),
              " for `end` but got dtype ", core::script_name(in[1].dtype()));
  compute_over<floats | complexes | no_half>(
      c, c.out(), in[0].dtype(), in, [&](auto start, auto end) {
        return interpolate(start, end, alpha_as<decltype(start)>(c.scalar(arg::weight)));
      });
}

void addcmul(Call& c) {
  auto in = operands_of<3>(c);
  core::Scalar value = c.scalar(arg::value);
  compute_over<numbers | no_half>(
      c, c.out(), common_dtype(c, in), in, [&](auto self, auto a, auto b) {
        return math::add(self,
                         math::multiply(alpha_as<decltype(self)>(value), math::multiply(a, b)));
      });
}

void addcdiv(Call& c) {
  auto in = operands_of<3>(c);
  base::check(!core::is_integral(in[1].dtype(), true) || !core::is_integral(in[2].dtype(), true),
              "Integer division with addcdiv is no longer supported, and in a future  release "
              "addcdiv will perform a true division of tensor1 and tensor2.");
  core::Scalar value = c.scalar(arg::value);
  compute_over<floats | complexes | no_half>(
      c, c.out(), common_dtype(c, in), in,
      [&](auto self, auto a, auto b) { return self + alpha_as<decltype(self)>(value) * (a / b); });
}

constexpr ops::Kernel pointwise_arithmetic_table[] = {
    {"aten::add.Tensor", scaled_sum<false, 1>},
    {"aten::sub.Tensor", scaled_sum<false, -1>},
    {"aten::rsub.Tensor", scaled_sum<true, -1>},
    {"aten::_add_relu.Tensor", sum_rectified},
    {"aten::mul.Tensor", elementwise<2, all_kinds, multiply>},
    {"aten::div.Tensor", elementwise_float<2, floats | complexes, divide>},
    {"aten::div.Tensor_mode", divide_rounded},
    {"aten::floor_divide", elementwise<2, ints | floats, floor_quotient>},
    {"aten::remainder.Tensor", elementwise<2, ints | floats, remainder>},
    {"aten::fmod.Tensor", elementwise<2, ints | floats, fmod_of>},
    {"aten::pow.Tensor_Tensor", power},
    {"aten::float_power.Tensor_Tensor", float_power},
    {"aten::gcd", elementwise<2, ints, gcd_of>},
    {"aten::lcm", elementwise<2, ints, lcm_of>},
    {"aten::bitwise_and.Tensor", elementwise<2, bools | ints, bit_and>},
    {"aten::bitwise_or.Tensor", elementwise<2, bools | ints, bit_or>},
    {"aten::bitwise_xor.Tensor", elementwise<2, bools | ints, bit_xor>},
    {"aten::bitwise_left_shift.Tensor", elementwise<2, ints, shift_left>},
    {"aten::bitwise_right_shift.Tensor", elementwise<2, ints, shift_right>},
    {"aten::lerp.Tensor", lerp_tensor},
    {"aten::lerp.Scalar", lerp_number},
    {"aten::addcmul", addcmul},
    {"aten::addcdiv", addcdiv},
};

}  // namespace

std::span<const ops::Kernel> pointwise_kernels() { return pointwise_arithmetic_table; }

}  // namespace assay::kernels::reference
