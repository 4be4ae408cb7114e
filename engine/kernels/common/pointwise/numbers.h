#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <numbers>
#include <type_traits>

#include "engine/core/scalar.h"
#include "engine/core/scalar_math.h"
#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/common/elementwise.h"

// Pointwise operators are written once: a function object for one element, and an operator over
// `On`, where it runs (reference::Host, cuda::Gpu). Function objects get a C: int64 for integers
// and bool, double, float (GPUs compute in it what is no wider), or the complex double of their
// side. Besides compute_over (common/elementwise.h), `On` has
//   Complex<T>            its complex numbers
//   Faults                what becomes of elements that an operator refuses, made by faults(call)
//   rounded_to(dtype, v)  a C rounded to an element type
namespace assay::kernels::pointwise {

namespace arg = ops::arg;
namespace math = core::math;

using common::all_kinds;
using common::bools;
using common::common_dtype;
using common::complexes;
using common::elementwise;
using common::elementwise_float;
using common::floats;
using common::ints;
using common::no_bfloat;
using common::no_half;
using common::numbers;
using common::operands_of;
using common::reals;
using core::DType;
using core::Tensor;
using ops::Call;

template <typename C>
inline constexpr bool is_int = std::is_same_v<C, int64_t>;
template <typename C>
inline constexpr bool is_real = std::is_floating_point_v<C>;
template <typename C>
inline constexpr bool is_complex = !std::is_arithmetic_v<C>;

template <typename C>
struct PartOf {
  using type = C;
};
template <typename C>
requires is_complex<C>
struct PartOf<C> {
  using type = typename C::value_type;
};
/// What a complex number consists of; a real number itself.
template <typename C>
using Part = typename PartOf<C>::type;

/// What to compute in where several roundings to float would show.
template <typename C>
using Precise = std::conditional_t<std::is_same_v<C, float>, double, C>;

template <typename C>
ASSAY_ANYWHERE C sum(C a, C b) {
  if constexpr (is_int<C>)
    return math::add(a, b);
  else
    return a + b;
}
template <typename C>
ASSAY_ANYWHERE C product(C a, C b) {
  if constexpr (is_int<C>)
    return math::multiply(a, b);
  else
    return a * b;
}
/// With PyTorch's infinities: see core::math::divide.
template <typename C>
ASSAY_ANYWHERE C quotient(C a, C b) {
  if constexpr (is_complex<C>) {
    using R = Part<C>;
    R scale = std::fmax(std::fabs(b.real()), std::fabs(b.imag()));
    R re = b.real() / scale, im = b.imag() / scale;
    R norm = re * b.real() + im * b.imag();
    return {(a.real() * re + a.imag() * im) / norm, (a.imag() * re - a.real() * im) / norm};
  } else {
    return a / b;
  }
}

/// A number that the call gives, for function objects: as the type that is computed in.
struct Number {
  int64_t integer = 0;
  double real = 0;
  double imaginary = 0;

  Number() = default;
  Number(const core::Scalar& scalar, DType common) {
    if (core::is_integral(common, true))
      integer = scalar.to_int();
    else
      real = scalar.to_double();
    if (core::is_complex(common)) imaginary = scalar.to_complex().imag();
  }

  template <typename C>
  ASSAY_ANYWHERE C as() const {
    if constexpr (is_int<C>)
      return integer;
    else if constexpr (is_complex<C>)
      return C(static_cast<Part<C>>(real), static_cast<Part<C>>(imaginary));
    else
      return static_cast<C>(real);
  }
};

}  // namespace assay::kernels::pointwise
