#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "engine/core/dtype.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/anywhere.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/std/complex>
#endif

// Elements of tensors in device code: what they are stored as (core::Half, core::Bool, ...), and
// what is computed with.
namespace assay::kernels::cuda {

#ifdef __CUDACC__
template <typename T>
using Complex = ::cuda::std::complex<T>;
#else
template <typename T>
using Complex = std::complex<T>;
#endif

/// Element types as device code stores them: std::complex is for the host alone.
template <typename T>
struct StoredAs {
  using type = T;
};
template <typename T>
struct StoredAs<std::complex<T>> {
  using type = Complex<T>;
};
template <typename T>
using Stored = typename StoredAs<T>::type;

template <typename T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, Complex<float>> || std::is_same_v<T, Complex<double>>;
template <typename T>
inline constexpr bool is_half_type =
    std::is_same_v<T, core::Half> || std::is_same_v<T, core::BFloat16>;
template <typename T>
inline constexpr bool is_float_type = std::is_floating_point_v<T> || is_half_type<T>;

/// What is computed with elements of a stored type: float for the 16-bit types, int64 for integers
/// and bool.
template <typename T>
using Computed =
    std::conditional_t<is_half_type<T>, float,
                       std::conditional_t<is_float_type<T> || is_complex_type<T>, T, int64_t>>;
/// What sums are kept in: double where elements are float64, int64 for integers and bool, float for
/// all smaller floating types, as PyTorch does on GPUs.
template <typename T>
using Accumulated = Computed<T>;

ASSAY_ANYWHERE inline float to_float(core::Half v) {
#ifdef __CUDA_ARCH__
  return __half2float(__ushort_as_half(v.bits));
#else
  return static_cast<float>(v);
#endif
}
ASSAY_ANYWHERE inline float to_float(core::BFloat16 v) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(static_cast<unsigned>(v.bits) << 16);
#else
  return static_cast<float>(v);
#endif
}
template <typename T>
ASSAY_ANYWHERE T half_from(float v) {
  T out;
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, core::Half>)
    out.bits = __half_as_ushort(__float2half_rn(v));
  else
    out.bits = __bfloat16_as_ushort(__float2bfloat16_rn(v));
#else
  out = T(v);
#endif
  return out;
}

/// One element as another type, as PyTorch casts: complex loses its imaginary part, floats are
/// truncated, integers wrap, bool is "not zero".
template <typename To, typename From>
ASSAY_ANYWHERE To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_half_type<From>) {
    return convert<To>(to_float(value));
  } else if constexpr (std::is_same_v<From, core::Bool>) {
    return convert<To>(static_cast<uint8_t>(value.bits != 0));
  } else if constexpr (std::is_same_v<To, core::Bool>) {
    core::Bool out;
    if constexpr (is_complex_type<From>)
      out.bits = value.real() != 0 || value.imag() != 0;
    else
      out.bits = value != From(0);
    return out;
  } else if constexpr (is_complex_type<To>) {
    using Part = typename To::value_type;
    if constexpr (is_complex_type<From>)
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    else
      return To(convert<Part>(value), Part(0));
  } else if constexpr (is_complex_type<From>) {
    return convert<To>(value.real());
  } else if constexpr (is_half_type<To>) {
    return half_from<To>(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> &&
                       !std::is_same_v<To, bool>) {
    bool fits = value >= From(-0x1p63) && value < From(0x1p63);
    return static_cast<To>(fits ? static_cast<int64_t>(value) : INT64_MIN);
  } else {
    return static_cast<To>(value);
  }
}

/// The element at an address, of a type known when the kernel runs, as a C.
template <typename C>
ASSAY_ANYWHERE C load(const std::byte* at, core::DType dtype) {
  using core::BFloat16;
  using core::Bool;
  using core::Complex128;
  using core::Complex64;
  using core::Half;
  switch (dtype) {
#define DTYPE(name, number, python, script, type, category) \
  case core::DType::name:                                   \
    return convert<C>(*reinterpret_cast<const Stored<type>*>(at));
#include "engine/core/dtype.def"
#undef DTYPE
  }
  return C{};
}

template <typename R>
ASSAY_ANYWHERE void store(std::byte* at, core::DType dtype, R value) {
  using core::BFloat16;
  using core::Bool;
  using core::Complex128;
  using core::Complex64;
  using core::Half;
  switch (dtype) {
#define DTYPE(name, number, python, script, type, category)              \
  case core::DType::name:                                                \
    *reinterpret_cast<Stored<type>*>(at) = convert<Stored<type>>(value); \
    return;
#include "engine/core/dtype.def"
#undef DTYPE
  }
}

/// A number rounded to a type that is narrower than C.
template <typename C>
ASSAY_ANYWHERE C rounded_to(core::DType dtype, C value) {
  if constexpr (std::is_floating_point_v<C>) {
    if (dtype == core::DType::float16) return to_float(half_from<core::Half>(float(value)));
    if (dtype == core::DType::bfloat16) return to_float(half_from<core::BFloat16>(float(value)));
    if (dtype == core::DType::float32) return static_cast<C>(static_cast<float>(value));
    return value;
  } else if constexpr (std::is_same_v<C, int64_t>) {
    switch (dtype) {
      case core::DType::boolean:
        return value != 0;
      case core::DType::uint8:
        return static_cast<uint8_t>(value);
      case core::DType::int8:
        return static_cast<int8_t>(value);
      case core::DType::int16:
        return static_cast<int16_t>(value);
      case core::DType::int32:
        return static_cast<int32_t>(value);
      default:
        return value;
    }
  } else if constexpr (is_complex_type<C>) {
    if (dtype != core::DType::complex64) return value;
    using Part = typename C::value_type;
    return C(static_cast<Part>(static_cast<float>(value.real())),
             static_cast<Part>(static_cast<float>(value.imag())));
  } else {
    return value;
  }
}

}  // namespace assay::kernels::cuda
