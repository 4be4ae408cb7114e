#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/core/dtype.h"
#include "engine/core/half.h"

namespace assay::kernels::common {

template <typename T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, core::Complex64> || std::is_same_v<T, core::Complex128>;

template <typename T>
inline constexpr bool is_floating_type =
    std::is_floating_point_v<T> || std::is_same_v<T, core::Half> ||
    std::is_same_v<T, core::BFloat16>;

template <typename T>
inline constexpr bool is_integer_type = std::is_integral_v<T> || std::is_same_v<T, core::Bool>;

/// What a reference kernel computes in: double for the floating types, int64 for integers and
/// bool, complex128 for the complex types.
template <typename T>
using Wide = std::conditional_t<is_complex_type<T>, core::Complex128,
                                std::conditional_t<is_floating_type<T>, double, int64_t>>;

/// What a fast kernel computes one element in: float for the 16-bit types, otherwise T itself.
template <typename T>
using Computed = std::conditional_t<is_floating_type<T> && !std::is_floating_point_v<T>, float, T>;

/// A double as an integer, truncated; what does not fit becomes the lowest int64, as on x86.
inline int64_t truncated(double value) {
  bool fits = value >= -0x1p63 && value < 0x1p63;
  return fits ? static_cast<int64_t>(value) : INT64_MIN;
}

/// An element of one type as another, as PyTorch casts: complex loses its imaginary part, floats
/// are truncated, integers wrap, bool is "not zero".
template <typename To, typename From>
To cast(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, core::Bool>) {
    if constexpr (is_floating_type<From>)
      return static_cast<double>(value) != 0;
    else
      return value != From{};
  } else if constexpr (is_complex_type<To>) {
    using Part = typename To::value_type;
    if constexpr (is_complex_type<From>) {
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else {
      return To(cast<Part>(value), Part{});
    }
  } else if constexpr (is_complex_type<From>) {
    return cast<To>(value.real());
  } else if constexpr (is_floating_type<From> && is_integer_type<To>) {
    return static_cast<To>(truncated(static_cast<double>(value)));
  } else if constexpr (is_floating_type<To> && !std::is_floating_point_v<To>) {
    return To(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace assay::kernels::common
