#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/core/dtype.h"

/// Arithmetic of TorchScript's numbers: int64 that wraps around, double, complex. The instructions
/// of the interpreter, the operators of numbers and the integer kernels all compute by these
/// functions; folding constants runs the operators. Errors are in PyTorch's words.
namespace assay::core::math {

/// The bits of an int; the int of such bits. Unsigned arithmetic wraps where int64's is undefined.
constexpr uint64_t bits(int64_t v) { return static_cast<uint64_t>(v); }
constexpr int64_t wrapped(uint64_t v) { return static_cast<int64_t>(v); }

/// |v|, which an int may be too small for.
constexpr uint64_t magnitude(int64_t v) { return v < 0 ? -bits(v) : bits(v); }

/// Two numbers of which one is a float meet as floats; otherwise both are of one kind.
template <typename A, typename B>
concept mixed = (std::same_as<A, double> && std::same_as<B, int64_t>) ||
                (std::same_as<A, int64_t> && std::same_as<B, double>);

constexpr int64_t add(int64_t a, int64_t b) { return wrapped(bits(a) + bits(b)); }
constexpr int64_t subtract(int64_t a, int64_t b) { return wrapped(bits(a) - bits(b)); }
constexpr int64_t multiply(int64_t a, int64_t b) { return wrapped(bits(a) * bits(b)); }
constexpr int64_t negate(int64_t a) { return wrapped(-bits(a)); }

constexpr double add(double a, double b) { return a + b; }
constexpr double subtract(double a, double b) { return a - b; }
constexpr double multiply(double a, double b) { return a * b; }
constexpr double negate(double a) { return -a; }

inline Complex128 add(Complex128 a, Complex128 b) { return a + b; }
inline Complex128 subtract(Complex128 a, Complex128 b) { return a - b; }
inline Complex128 multiply(Complex128 a, Complex128 b) { return a * b; }
inline Complex128 negate(Complex128 a) { return -a; }

/// `/` of ints is a float, and division by zero an infinity or NaN.
inline double divide(double a, double b) { return a / b; }
inline double divide(int64_t a, int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}
/// a / b with PyTorch's infinities: division by zero or by infinity gives NaN in both parts, where
/// C++'s operator recovers an infinity or a zero.
inline Complex128 divide(Complex128 a, Complex128 b) {
  double scale = std::fmax(std::fabs(b.real()), std::fabs(b.imag()));
  double re = b.real() / scale, im = b.imag() / scale;
  double norm = re * b.real() + im * b.imag();
  return {(a.real() * re + a.imag() * im) / norm, (a.imag() * re - a.real() * im) / norm};
}

template <typename A, typename B>
requires mixed<A, B>
double add(A a, B b) { return static_cast<double>(a) + static_cast<double>(b); }
template <typename A, typename B>
requires mixed<A, B>
double subtract(A a, B b) { return static_cast<double>(a) - static_cast<double>(b); }
template <typename A, typename B>
requires mixed<A, B>
double multiply(A a, B b) { return static_cast<double>(a) * static_cast<double>(b); }
template <typename A, typename B>
requires mixed<A, B>
double divide(A a, B b) { return static_cast<double>(a) / static_cast<double>(b); }

/// Division towards zero and its rest. The divisor is not 0; the lowest int divided by -1 wraps.
constexpr int64_t truncated_quotient(int64_t a, int64_t b) { return b == -1 ? negate(a) : a / b; }
constexpr int64_t truncated_rest(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

/// Division rounded down and its rest, which has the divisor's sign. The divisor is not 0.
constexpr int64_t floored_quotient(int64_t a, int64_t b) {
  int64_t quotient = truncated_quotient(a, b);
  return b != -1 && a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
constexpr int64_t floored_rest(int64_t a, int64_t b) {
  int64_t rest = truncated_rest(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// `a // b`.
inline int64_t floor_divide(int64_t a, int64_t b) {
  base::check(b != 0, "division by 0");
  return floored_quotient(a, b);
}
inline double floor_divide(double a, double b) { return std::floor(a / b); }

/// `a % b`. PyTorch dies of an int modulo 0; the words are those of its divmod.
inline int64_t modulo(int64_t a, int64_t b) {
  base::check(b != 0, "ZeroDivisionError: integer division or modulo by zero");
  return floored_rest(a, b);
}
inline double modulo(double a, double b) { return std::fmod(b + std::fmod(a, b), b); }

/// What `divmod` gives.
template <typename T>
struct QuotientAndRest {
  T quotient, rest;
};
inline QuotientAndRest<int64_t> divmod(int64_t a, int64_t b) {
  base::check(b != 0, "ZeroDivisionError: integer division or modulo by zero");
  return {floored_quotient(a, b), floored_rest(a, b)};
}
/// Unlike modulo, this keeps a rest that is small beside b.
inline QuotientAndRest<double> divmod(double a, double b) {
  base::check(b != 0, "ZeroDivisionError: float divmod()");
  double rest = std::fmod(a, b);
  if (rest != 0 && (a < 0) != (b < 0)) rest += b;
  return {(a - rest) / b, rest};
}

/// An int to the power of one that is not negative.
constexpr int64_t int_power(int64_t base, int64_t exponent) {
  uint64_t result = 1, factor = bits(base);
  for (uint64_t e = bits(exponent); e != 0; e >>= 1) {
    if (e & 1) result *= factor;
    factor *= factor;
  }
  return wrapped(result);
}

/// Shifts count modulo 64, as the machine's do that PyTorch compiles to.
constexpr int64_t shift_left(int64_t a, int64_t by) { return wrapped(bits(a) << (bits(by) & 63)); }
constexpr int64_t shift_right(int64_t a, int64_t by) { return a >> (bits(by) & 63); }

/// A float as an int, truncated; what does not fit becomes the lowest int, as in PyTorch on x86.
constexpr int64_t truncated(double v) {
  return v >= -0x1p63 && v < 0x1p63 ? static_cast<int64_t>(v) : INT64_MIN;
}

/// How many numbers `range(low, high, step)` has.
inline int64_t range_length(int64_t low, int64_t high, int64_t step) {
  base::check(step != 0, "range() arg 3 must not be zero");
  if (step > 0 && low < high) return wrapped(1 + (bits(high) - 1 - bits(low)) / bits(step));
  if (step < 0 && low > high) return wrapped(1 + (bits(low) - 1 - bits(high)) / (0 - bits(step)));
  return 0;
}

}  // namespace assay::core::math
