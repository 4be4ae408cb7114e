#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

namespace assay::kernels::pointwise {

#define COMPARISON(Name, op)                         \
  struct Name {                                      \
    template <typename C>                            \
    ASSAY_ANYWHERE bool operator()(C a, C b) const { \
      return a op b;                                 \
    }                                                \
  };
COMPARISON(Equal, ==)
COMPARISON(NotEqual, !=)
COMPARISON(Less, <)
COMPARISON(LessEqual, <=)
COMPARISON(Greater, >)
COMPARISON(GreaterEqual, >=)
#undef COMPARISON

template <typename C>
ASSAY_ANYWHERE bool is_true(C v) {
  return v != C{};
}

struct LogicalAnd {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C a, C b) const {
    return is_true(a) && is_true(b);
  }
};
struct LogicalOr {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C a, C b) const {
    return is_true(a) || is_true(b);
  }
};
struct LogicalXor {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C a, C b) const {
    return is_true(a) != is_true(b);
  }
};
struct LogicalNot {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C a) const {
    return !is_true(a);
  }
};

/// A test of floats applied to any number: false of integers, of a complex number true if it is so
/// of either part.
template <class Test>
struct EitherPart {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C v) const {
    if constexpr (is_complex<C>)
      return Test::of(v.real()) || Test::of(v.imag());
    else if constexpr (is_real<C>)
      return Test::of(v);
    else
      return false;
  }
};

#define TEST(Name, condition)            \
  struct Name##Test {                    \
    template <typename R>                \
    ASSAY_ANYWHERE static bool of(R v) { \
      return condition;                  \
    }                                    \
  };                                     \
  using Name = EitherPart<Name##Test>;
TEST(IsNan, std::isnan(v))
TEST(IsInf, std::isinf(v))
TEST(IsNotFinite, !std::isfinite(v))
TEST(IsPositiveInf, std::isinf(v) && !std::signbit(v))
TEST(IsNegativeInf, std::isinf(v) && std::signbit(v))
#undef TEST

struct IsFinite {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C v) const {
    return !IsNotFinite{}(v);
  }
};
struct IsReal {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C v) const {
    if constexpr (is_complex<C>)
      return v.imag() == 0;
    else
      return static_cast<void>(v), true;
  }
};
struct SignBit {
  template <typename C>
  ASSAY_ANYWHERE bool operator()(C v) const {
    if constexpr (is_real<C>)
      return std::signbit(v);
    else
      return v < 0;
  }
};

struct IsClose {
  double rtol, atol;
  bool equal_nan;

  template <typename C>
  ASSAY_ANYWHERE bool operator()(C first, C second) const {
    using std::abs;
    using P = Precise<C>;
    P a = static_cast<P>(first), b = static_cast<P>(second);
    if (a == b || (equal_nan && IsNan{}(a) && IsNan{}(b))) return true;
    P difference = a - b;
    auto error = static_cast<double>(abs(difference)), magnitude = static_cast<double>(abs(b));
    return IsFinite{}(difference) && error <= atol + rtol * magnitude;
  }
};

template <class On>
void is_close(Call& c) {
  auto in = operands_of<2>(c);
  base::check(in[0].dtype() == in[1].dtype(), core::script_name(in[0].dtype()), " did not match ",
              core::script_name(in[1].dtype()));
  double rtol = c.floating(arg::rtol), atol = c.floating(arg::atol);
  base::check(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  base::check(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  On::template compute_over<all_kinds>(c, c.out(), in[0].dtype(), in,
                                       IsClose{rtol, atol, c.boolean(arg::equal_nan)});
}

template <class On>
inline constexpr ops::Kernel comparison_table[] = {
    {"aten::eq.Tensor", elementwise<On, 2, all_kinds, Equal>},
    {"aten::ne.Tensor", elementwise<On, 2, all_kinds, NotEqual>},
    {"aten::lt.Tensor", elementwise<On, 2, reals, Less>},
    {"aten::le.Tensor", elementwise<On, 2, reals, LessEqual>},
    {"aten::gt.Tensor", elementwise<On, 2, reals, Greater>},
    {"aten::ge.Tensor", elementwise<On, 2, reals, GreaterEqual>},
    {"aten::logical_and", elementwise<On, 2, all_kinds, LogicalAnd>},
    {"aten::logical_or", elementwise<On, 2, all_kinds, LogicalOr>},
    {"aten::logical_xor", elementwise<On, 2, all_kinds, LogicalXor>},
    {"aten::logical_not", elementwise<On, 1, all_kinds, LogicalNot>},
    {"aten::isnan", elementwise<On, 1, all_kinds, IsNan>},
    {"aten::isinf", elementwise<On, 1, all_kinds, IsInf>},
    {"aten::isfinite", elementwise<On, 1, all_kinds, IsFinite>},
    {"aten::isposinf", elementwise<On, 1, reals, IsPositiveInf>},
    {"aten::isneginf", elementwise<On, 1, reals, IsNegativeInf>},
    {"aten::isreal", elementwise<On, 1, all_kinds, IsReal>},
    {"aten::signbit", elementwise<On, 1, reals, SignBit>},
    {"aten::isclose", is_close<On>},
};

}  // namespace assay::kernels::pointwise
