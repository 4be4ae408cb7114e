#pragma once

#include <cstdint>

#include "engine/base/error.h"
#include "engine/core/dtype.h"

namespace assay::kernels::common {

// From a dtype at run time to a C++ type at compile time. Each function calls `body` with a zero
// of the element type:
//   over_all(t.dtype(), "copy", [&](auto zero) { using T = decltype(zero); ... });
// A dtype outside the function's set is an input error in PyTorch's words; `what` is the name in
// that message. Keep bodies small: each is compiled once per type.

[[noreturn]] inline void not_implemented_for(core::DType dtype, const char* what) {
  base::fail("\"", what, "\" not implemented for '", core::script_name(dtype), "'");
}

/// float32, float64, float16, bfloat16.
template <typename Body>
decltype(auto) over_floating(core::DType dtype, const char* what, Body&& body) {
  switch (dtype) {
    case core::DType::float32:
      return body(float{});
    case core::DType::float64:
      return body(double{});
    case core::DType::float16:
      return body(core::Half{});
    case core::DType::bfloat16:
      return body(core::BFloat16{});
    default:
      not_implemented_for(dtype, what);
  }
}

/// The integer types, without bool.
template <typename Body>
decltype(auto) over_integral(core::DType dtype, const char* what, Body&& body) {
  switch (dtype) {
    case core::DType::uint8:
      return body(uint8_t{});
    case core::DType::int8:
      return body(int8_t{});
    case core::DType::int16:
      return body(int16_t{});
    case core::DType::int32:
      return body(int32_t{});
    case core::DType::int64:
      return body(int64_t{});
    default:
      not_implemented_for(dtype, what);
  }
}

/// Everything that has an order: integers, bool and the floating types.
template <typename Body>
decltype(auto) over_real(core::DType dtype, const char* what, Body&& body) {
  if (dtype == core::DType::boolean) return body(core::Bool{});
  if (core::is_floating(dtype)) return over_floating(dtype, what, body);
  return over_integral(dtype, what, body);
}

/// Every element type.
template <typename Body>
decltype(auto) over_all(core::DType dtype, const char* what, Body&& body) {
  if (dtype == core::DType::complex64) return body(core::Complex64{});
  if (dtype == core::DType::complex128) return body(core::Complex128{});
  return over_real(dtype, what, body);
}

/// For kernels that only move elements: one body per element size (1, 2, 4, 8, 16 bytes).
template <typename Body>
decltype(auto) over_sizes(core::DType dtype, Body&& body) {
  switch (core::size_of(dtype)) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(core::Complex128{});
  }
}

}  // namespace assay::kernels::common
