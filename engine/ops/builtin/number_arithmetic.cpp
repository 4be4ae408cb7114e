#include <cmath>

#include "engine/base/error.h"
#include "engine/core/scalar_math.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"

namespace assay::ops::builtin {
namespace {

using core::Scalar;
using core::Value;
namespace math = core::math;

/// What two numbers are computed in: the higher of their kinds, bool counting as int.
core::DTypeCategory common_kind(const Scalar& a, const Scalar& b) {
  return std::max({a.category(), b.category(), core::DTypeCategory::integral});
}

/// Calls `f` with both numbers as int64, double or complex.
template <typename F>
Value over_common(const Scalar& a, const Scalar& b, F f) {
  switch (common_kind(a, b)) {
    case core::DTypeCategory::complex:
      return f(a.to_complex(), b.to_complex());
    case core::DTypeCategory::floating:
      return f(a.to_double(), b.to_double());
    default:
      return f(a.to_int(), b.to_int());
  }
}

template <typename F>
Value over_real(const Scalar& a, const Scalar& b, F f) {
  if (common_kind(a, b) == core::DTypeCategory::integral) return f(a.to_int(), b.to_int());
  return f(a.to_double(), b.to_double());
}

/// An operator of two numbers of any kind.
template <auto f>
void arithmetic(Call& c) {
  c.finish(over_common(c.first().to_scalar(), c.second().to_scalar(),
                       [](auto a, auto b) { return Value(f(a, b)); }));
}
/// An operator of two real numbers.
template <auto f>
void real_arithmetic(Call& c) {
  c.finish(
      over_real(c.scalar(arg::a), c.scalar(arg::b), [](auto a, auto b) { return Value(f(a, b)); }));
}

constexpr auto sum = [](auto a, auto b) { return math::add(a, b); };
constexpr auto difference = [](auto a, auto b) { return math::subtract(a, b); };
constexpr auto product = [](auto a, auto b) { return math::multiply(a, b); };
constexpr auto quotient = [](auto a, auto b) { return math::divide(a, b); };
constexpr auto floored_quotient = [](auto a, auto b) { return math::floor_divide(a, b); };
constexpr auto floored_rest = [](auto a, auto b) { return math::modulo(a, b); };

void add(Call& c) {
  if (c.value(arg::a).is_string()) return c.finish(Value(c.string(arg::a) + c.string(arg::b)));
  if (c.value(arg::a).is_list()) {
    auto items = c.value(arg::a).list().items;
    const auto& more = c.value(arg::b).list().items;
    items.insert(items.end(), more.begin(), more.end());
    return c.finish(Value(core::make_list(c.value(arg::a).list().element, std::move(items))));
  }
  arithmetic<sum>(c);
}

void mul(Call& c) {
  if (!c.has(arg::l)) return arithmetic<product>(c);
  const auto& from = c.value(arg::l).list();
  c.finish(Value(core::make_list(from.element, repeated(from.items, c.integer(arg::n)))));
}

void divmod(Call& c) {
  auto both = [](auto a, auto b) {
    auto [whole, rest] = math::divmod(a, b);
    return Value(core::make_tuple({Value(whole), Value(rest)}));
  };
  auto result = over_real(c.scalar(arg::x), c.scalar(arg::y), both);
  c.finish(core::Values(result.tuple().items));
}

void truncated_quotient(Call& c) {
  int64_t a = c.integer(arg::a), b = c.integer(arg::b);
  base::check(b != 0, "division by 0");
  c.finish(Value(math::truncated_quotient(a, b)));
}

void pow(Call& c) {
  if (c.op.schema.overload == "int_to_int") {
    base::check(c.integer(arg::b) >= 0, "pow of an int to a negative int is no int");
    return c.finish(Value(math::int_power(c.integer(arg::a), c.integer(arg::b))));
  }
  Scalar a = c.scalar(arg::a), b = c.scalar(arg::b);
  if (a.is_complex() || b.is_complex()) {
    return c.finish(Value(std::pow(a.to_complex(), b.to_complex())));
  }
  base::check(a.to_double() != 0 || b.to_double() >= 0, "0.0 cannot be raised to a negative power");
  c.finish(Value(std::pow(a.to_double(), b.to_double())));
}

void neg(Call& c) {
  Scalar a = c.scalar(arg::a);
  if (a.is_complex()) return c.finish(Value(math::negate(a.to_complex())));
  if (a.is_float()) return c.finish(Value(math::negate(a.to_double())));
  c.finish(Value(math::negate(a.to_int())));
}

/// Bitwise operators: bools stay bools.
template <typename F>
void bitwise(Call& c) {
  Scalar a = c.scalar(arg::a), b = c.scalar(arg::b);
  int64_t result = F{}(a.to_int(), b.to_int());
  c.finish(a.is_bool() && b.is_bool() ? Value(result != 0) : Value(result));
}

void shift_left(Call& c) {
  c.finish(Value(math::shift_left(c.integer(arg::a), c.integer(arg::b))));
}
void shift_right(Call& c) {
  c.finish(Value(math::shift_right(c.integer(arg::a), c.integer(arg::b))));
}

/// eq and ne compare any values; lists of tensors member by member.
bool are_equal(const Call& c) {
  const Value& a = c.value(arg::a);
  const Value& b = c.value(arg::b);
  if (!a.is_list() || !b.is_list()) return a.equals(b);
  const auto& x = a.list().items;
  const auto& y = b.list().items;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [&](const Value& p, const Value& q) { return same_element(c, p, q); });
}

void eq(Call& c) { c.finish(Value(are_equal(c))); }
void ne(Call& c) { c.finish(Value(!are_equal(c))); }

template <typename F>
void ordered(Call& c) {
  if (c.value(arg::a).is_string()) return c.finish(Value(F{}(c.string(arg::a), c.string(arg::b))));
  c.finish(over_real(c.scalar(arg::a), c.scalar(arg::b),
                     [](auto a, auto b) { return Value(F{}(a, b)); }));
}

void is(Call& c) { c.finish(Value(c.value(arg::self).same(c.value(arg::obj)))); }
void is_not(Call& c) { c.finish(Value(!c.value(arg::self).same(c.value(arg::obj)))); }
void logical_not(Call& c) { c.finish(Value(!c.boolean(arg::self))); }

}  // namespace

std::span<const Kernel> number_builtins() {
  static const auto kernels = host_kernels({
      {"aten::add", add},
      {"aten::sub", arithmetic<difference>},
      {"aten::mul", mul},
      {"aten::div", arithmetic<quotient>},
      {"aten::floordiv", real_arithmetic<floored_quotient>},
      {"aten::remainder", real_arithmetic<floored_rest>},
      {"aten::divmod", divmod},
      {"aten::__round_to_zero_floordiv", truncated_quotient},
      {"aten::pow", pow},
      {"aten::neg", neg},
      {"aten::__and__", bitwise<std::bit_and<int64_t>>},
      {"aten::__or__", bitwise<std::bit_or<int64_t>>},
      {"aten::__xor__", bitwise<std::bit_xor<int64_t>>},
      {"aten::__lshift__", shift_left},
      {"aten::__rshift__", shift_right},
      {"aten::eq", eq},
      {"aten::ne", ne},
      {"aten::lt", ordered<std::less<>>},
      {"aten::le", ordered<std::less_equal<>>},
      {"aten::gt", ordered<std::greater<>>},
      {"aten::ge", ordered<std::greater_equal<>>},
      {"aten::__is__", is},
      {"aten::__isnot__", is_not},
      {"aten::__not__", logical_not},
  });
  return kernels;
}

}  // namespace assay::ops::builtin
