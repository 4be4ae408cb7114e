#include <cmath>

#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Complex128;
using core::DType;
using core::Tensor;
using ops::Call;

constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto not_equal = [](auto a, auto b) { return a != b; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto less_equal = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto greater_equal = [](auto a, auto b) { return a >= b; };

template <typename T>
bool is_true(T v) {
  return v != T{};
}
constexpr auto logical_and = [](auto a, auto b) { return is_true(a) && is_true(b); };
constexpr auto logical_or = [](auto a, auto b) { return is_true(a) || is_true(b); };
constexpr auto logical_xor = [](auto a, auto b) { return is_true(a) != is_true(b); };
constexpr auto logical_not = [](auto a) { return !is_true(a); };

/// Applies a test of doubles to any number: false of integers, of a complex number true if it is
/// so of either part.
template <auto test>
constexpr auto either_part = [](auto v) -> bool {
  if constexpr (std::is_same_v<decltype(v), Complex128>)
    return test(v.real()) || test(v.imag());
  else if constexpr (std::is_same_v<decltype(v), double>)
    return test(v);
  else
    return false;
};

constexpr auto is_nan = either_part<[](double v) { return std::isnan(v); }>;
constexpr auto is_inf = either_part<[](double v) { return std::isinf(v); }>;
constexpr auto is_finite = [](auto v) {
  return !either_part<[](double part) { return !std::isfinite(part); }>(v);
};
constexpr auto is_positive_inf =
    either_part<[](double v) { return std::isinf(v) && !std::signbit(v); }>;
constexpr auto is_negative_inf =
    either_part<[](double v) { return std::isinf(v) && std::signbit(v); }>;
constexpr auto is_real = [](auto v) {
  if constexpr (std::is_same_v<decltype(v), Complex128>)
    return v.imag() == 0;
  else
    return static_cast<void>(v), true;
};
constexpr auto sign_bit = [](auto v) {
  if constexpr (std::is_same_v<decltype(v), double>)
    return std::signbit(v);
  else
    return v < 0;
};

/// Integers that compare across types are compared in the promoted type, each operand rounded to
/// it first.
void is_close(Call& c) {
  auto in = operands_of<2>(c);
  base::check(in[0].dtype() == in[1].dtype(), core::script_name(in[0].dtype()), " did not match ",
              core::script_name(in[1].dtype()));
  double rtol = c.floating(arg::rtol), atol = c.floating(arg::atol);
  bool equal_nan = c.boolean(arg::equal_nan);
  base::check(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  base::check(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  compute_over<all_kinds>(c, c.out(), in[0].dtype(), in, [&](auto a, auto b) {
    if (a == b || (equal_nan && is_nan(a) && is_nan(b))) return true;
    auto difference = a - b;
    double error = std::abs(difference), magnitude = std::abs(b);
    return is_finite(difference) && error <= atol + rtol * magnitude;
  });
}

constexpr ops::Kernel pointwise_compare_table[] = {
    {"aten::eq.Tensor", elementwise<2, all_kinds, equal>},
    {"aten::ne.Tensor", elementwise<2, all_kinds, not_equal>},
    {"aten::lt.Tensor", elementwise<2, reals, less>},
    {"aten::le.Tensor", elementwise<2, reals, less_equal>},
    {"aten::gt.Tensor", elementwise<2, reals, greater>},
    {"aten::ge.Tensor", elementwise<2, reals, greater_equal>},
    {"aten::logical_and", elementwise<2, all_kinds, logical_and>},
    {"aten::logical_or", elementwise<2, all_kinds, logical_or>},
    {"aten::logical_xor", elementwise<2, all_kinds, logical_xor>},
    {"aten::logical_not", elementwise<1, all_kinds, logical_not>},
    {"aten::isnan", elementwise<1, all_kinds, is_nan>},
    {"aten::isinf", elementwise<1, all_kinds, is_inf>},
    {"aten::isfinite", elementwise<1, all_kinds, is_finite>},
    {"aten::isposinf", elementwise<1, reals, is_positive_inf>},
    {"aten::isneginf", elementwise<1, reals, is_negative_inf>},
    {"aten::isreal", elementwise<1, all_kinds, is_real>},
    {"aten::signbit", elementwise<1, reals, sign_bit>},
    {"aten::isclose", is_close},
};

}  // namespace

std::span<const ops::Kernel> comparison_kernels() { return pointwise_compare_table; }

}  // namespace assay::kernels::reference
