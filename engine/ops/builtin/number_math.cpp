#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/core/scalar_math.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"

namespace assay::ops::builtin {
namespace {

using core::Complex128;
using core::Scalar;
using core::Value;
namespace math = core::math;

/// A real result; overloads for any number give it in single precision, as PyTorch's do.
Value real_result(const Call& c, double value) {
  bool single = c.op.schema.overload == "Scalar";
  return Value(single ? static_cast<double>(static_cast<float>(value)) : value);
}

/// math.NAME of an int or float (or complex, where `f` takes one).
template <auto f>
void function(Call& c) {
  Scalar a = c.scalar(arg::a);
  if constexpr (std::is_invocable_v<decltype(f), Complex128>) {
    if (a.is_complex()) return c.finish(Value(f(a.to_complex())));
  }
  c.finish(real_result(c, f(a.to_double())));
}

template <auto f>
void function2(Call& c) {
  c.finish(Value(f(c.scalar(arg::a).to_double(), c.scalar(arg::b).to_double())));
}

/// floor and ceil: an int, but for the Scalar overload, which keeps the kind.
template <auto f>
void to_int(Call& c) {
  Scalar a = c.scalar(arg::a);
  if (!a.is_float()) return c.finish(Value(a.to_int()));
  double value = f(a.to_double());
  base::check(value >= -0x1p63 && value < 0x1p63, "Cannot convert float ", a.to_double(),
              " to integer");
  c.finish(Value(static_cast<int64_t>(value)));
}

void log(Call& c) {
  Scalar a = c.scalar(arg::a);
  bool complex = a.is_complex() || (c.has(arg::b) && c.scalar(arg::b).is_complex());
  if (complex) {
    // Each logarithm is of its number's own kind: that of a negative real number is NaN.
    auto own = [](const Scalar& v) {
      return v.is_complex() ? std::log(v.to_complex()) : Complex128(std::log(v.to_double()));
    };
    Complex128 value = own(a);
    if (!c.has(arg::b)) return c.finish(Value(value));
    Scalar base = c.scalar(arg::b);
    bool real = !base.is_complex();
    c.finish(Value(real ? value / own(base).real() : math::divide(value, own(base))));
    return;
  }
  double value = std::log(a.to_double());
  if (c.has(arg::b)) value /= std::log(c.scalar(arg::b).to_double());
  c.finish(real_result(c, value));
}

/// The argument of a number; of a real one 0 or pi.
void angle(Call& c) {
  Scalar a = c.scalar(arg::a);
  double value = a.to_double();
  if (a.is_complex()) return c.finish(Value(std::arg(a.to_complex())));
  c.finish(real_result(c, std::isnan(value) ? value : value < 0 ? std::numbers::pi : 0.0));
}

void polar(Call& c) {
  double r = c.scalar(arg::a).to_double(), angle_of = c.scalar(arg::b).to_double();
  c.finish(Value(Complex128(r * std::cos(angle_of), r * std::sin(angle_of))));
}

void factorial(Call& c) {
  int64_t n = c.integer(arg::a);
  base::check(n >= 0, "factorial() not defined for negative values");
  int64_t product = 1;
  for (int64_t i = 2; i <= n && product != 0; ++i) product = math::multiply(product, i);
  c.finish(Value(product));
}

void gcd(Call& c) {
  c.finish(Value(math::wrapped(
      std::gcd(math::magnitude(c.integer(arg::a)), math::magnitude(c.integer(arg::b))))));
}

void modf(Call& c) {
  double whole = 0;
  double fraction = std::modf(c.floating(arg::a), &whole);
  c.finish({Value(fraction), Value(whole)});
}

void frexp(Call& c) {
  int exponent = 0;
  double mantissa = std::frexp(c.floating(arg::a), &exponent);
  c.finish({Value(mantissa), Value(exponent)});
}

void ldexp(Call& c) {
  c.finish(Value(std::ldexp(c.floating(arg::x), static_cast<int>(c.integer(arg::i)))));
}

/// True of a complex number if it is of either part (isnan, isinf) or of both (isfinite).
template <auto f, bool both>
void test(Call& c) {
  Scalar a = c.scalar(arg::a);
  if (!a.is_complex()) return c.finish(Value(static_cast<bool>(f(a.to_double()))));
  Complex128 v = a.to_complex();
  bool real = f(v.real()), imaginary = f(v.imag());
  c.finish(Value(both ? real && imaginary : real || imaginary));
}

void abs(Call& c) {
  Scalar a = c.scalar(arg::a);
  if (a.is_complex()) return c.finish(Value(std::abs(a.to_complex())));
  if (a.is_float()) return c.finish(Value(std::fabs(a.to_double())));
  int64_t v = a.to_int();
  c.finish(Value(v < 0 ? math::negate(v) : v));
}

/// The number that a text is; blanks may stand before it, nothing behind.
template <typename Read>
auto whole_text(const std::string& text, Read read)
    -> std::optional<decltype(read(text, nullptr))> {
  try {
    size_t end = 0;
    auto number = read(text, &end);
    if (end == text.size()) return number;
  } catch (const std::logic_error&) {
    // No number, or one that is too large.
  }
  return std::nullopt;
}

void as_int(Call& c) {
  if (c.value(arg::a).is_string()) {
    const std::string& text = c.string(arg::a);
    auto number =
        whole_text(text, [](const std::string& of, size_t* end) { return std::stoll(of, end); });
    base::check(number.has_value(), "invalid literal for int() with base 10: '", text, "'");
    return c.finish(Value(static_cast<int64_t>(*number)));
  }
  Scalar a = c.scalar(arg::a);
  c.finish(Value(a.is_float() || a.is_complex() ? math::truncated(a.to_double()) : a.to_int()));
}

void as_float(Call& c) {
  if (!c.value(arg::a).is_string()) return c.finish(Value(c.scalar(arg::a).to_double()));
  const std::string& text = c.string(arg::a);
  auto number =
      whole_text(text, [](const std::string& of, size_t* end) { return std::stod(of, end); });
  base::check(number.has_value(), "could not convert string to float: '", text, "'");
  c.finish(Value(*number));
}

void as_bool(Call& c) { c.finish(Value(c.scalar(arg::a).to_bool())); }

void as_complex(Call& c) {
  if (c.has(arg::a)) return c.finish(Value(c.scalar(arg::a).to_complex()));
  c.finish(Value(Complex128(c.scalar(arg::x).to_double(), c.scalar(arg::y).to_double())));
}

void range_length(Call& c) {
  c.finish(Value(math::range_length(c.integer(arg::lo), c.integer(arg::hi), c.integer(arg::step))));
}

void derive_index(Call& c) {
  c.finish(Value(math::add(c.integer(arg::start),
                           math::multiply(c.integer(arg::index), c.integer(arg::step)))));
}

int64_t hash_of(const Value& v) {
  if (v.is_string()) return static_cast<int64_t>(std::hash<std::string>()(v.to_string()));
  if (v.is_float()) return static_cast<int64_t>(std::hash<double>()(v.to_float()));
  if (v.is_bool() || v.is_int()) return v.to_scalar().to_int();
  if (v.is_tensor()) return static_cast<int64_t>(std::hash<const void*>()(v.tensor_impl()));
  if (v.is_device()) {
    core::Device device = v.to_device();
    return static_cast<int64_t>(device.type) * 1000 + device.index;
  }
  if (v.is_none()) return 0;
  if (v.is_tuple()) {
    uint64_t combined = 0x345678;
    for (const Value& item : v.tuple().items) {
      combined = (combined ^ static_cast<uint64_t>(hash_of(item))) * 1000003;
    }
    return static_cast<int64_t>(combined);
  }
  base::fail("unhashable type: '", v.kind_name(), "'");
}

void hash(Call& c) { c.finish(Value(hash_of(c.value(arg::value)))); }

#define REAL(name) function<[](double v) { return std::name(v); }>
#define ANY(name) function<[](auto v) { return std::name(v); }>

}  // namespace

std::span<const Kernel> math_builtins() {
  static const auto kernels = host_kernels({
      {"aten::floor", to_int<[](double v) { return std::floor(v); }>},
      {"aten::ceil", to_int<[](double v) { return std::ceil(v); }>},
      {"aten::round", REAL(nearbyint)},
      {"aten::sqrt", ANY(sqrt)},
      {"aten::exp", ANY(exp)},
      {"aten::expm1", REAL(expm1)},
      {"aten::log", log},
      {"aten::log1p", REAL(log1p)},
      {"aten::log10", ANY(log10)},
      {"aten::sin", ANY(sin)},
      {"aten::cos", ANY(cos)},
      {"aten::tan", ANY(tan)},
      {"aten::asin", ANY(asin)},
      {"aten::acos", ANY(acos)},
      {"aten::atan", ANY(atan)},
      {"aten::sinh", ANY(sinh)},
      {"aten::cosh", ANY(cosh)},
      {"aten::tanh", ANY(tanh)},
      {"aten::asinh", ANY(asinh)},
      {"aten::acosh", ANY(acosh)},
      {"aten::atanh", ANY(atanh)},
      {"aten::erf", REAL(erf)},
      {"aten::erfc", REAL(erfc)},
      {"aten::lgamma", REAL(lgamma)},
      {"aten::gamma", REAL(tgamma)},
      {"aten::fabs", REAL(fabs)},
      {"aten::degrees", function<[](double v) { return v * (180.0 / std::numbers::pi); }>},
      {"aten::radians", function<[](double v) { return v * (std::numbers::pi / 180.0); }>},
      {"aten::atan2", function2<[](double a, double b) { return std::atan2(a, b); }>},
      {"aten::fmod", function2<[](double a, double b) { return std::fmod(a, b); }>},
      {"aten::mathremainder", function2<[](double a, double b) { return std::remainder(a, b); }>},
      {"aten::copysign", function2<[](double a, double b) { return std::copysign(a, b); }>},
      {"aten::angle", angle},
      {"aten::polar", polar},
      {"aten::factorial", factorial},
      {"aten::gcd", gcd},
      {"aten::modf", modf},
      {"aten::frexp", frexp},
      {"aten::ldexp", ldexp},
      {"aten::isnan", test<[](double v) { return std::isnan(v); }, false>},
      {"aten::isinf", test<[](double v) { return std::isinf(v); }, false>},
      {"aten::isfinite", test<[](double v) { return std::isfinite(v); }, true>},
      {"aten::Int", as_int},
      {"aten::Float", as_float},
      {"aten::Bool", as_bool},
      {"aten::Complex", as_complex},
      {"aten::__range_length", range_length},
      {"aten::__derive_index", derive_index},
      {"aten::hash", hash},
      {"prim::abs", abs},
  });
  return kernels;
}

#undef REAL
#undef ANY

}  // namespace assay::ops::builtin
