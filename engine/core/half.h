#pragma once

#include <bit>
#include <complex>
#include <cstdint>

namespace assay::core {

/// IEEE 754 binary16, stored; arithmetic is done in float. Conversion rounds to nearest even.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  constexpr Half(float value)
      : bits(from_float(value)) {}  // NOLINT: as the built-in types convert.
  constexpr operator float() const { return to_float(bits); }

  static constexpr uint16_t from_float(float value) {
    uint32_t x = std::bit_cast<uint32_t>(value);
    uint32_t sign = (x >> 16) & 0x8000u;
    uint32_t magnitude = x & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);   // NaN
    if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);  // >= 65536
    if (magnitude < 0x38800000u) {                                               // subnormal or 0
      // Adding 0.5 makes the hardware round the low bits away to nearest even.
      float shifted = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
    }
    uint32_t odd = (magnitude >> 13) & 1u;
    return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
  }
  static constexpr float to_float(uint16_t bits) {
    uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
    uint32_t exponent = (bits >> 10) & 0x1fu;
    uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) {
      return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    }
    float tiny = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -tiny : tiny;
  }
};

/// The upper half of a binary32. Conversion rounds to nearest even.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  constexpr BFloat16(float value)
      : bits(from_float(value)) {}  // NOLINT: as the built-in types convert.
  constexpr operator float() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }

  static constexpr uint16_t from_float(float value) {
    uint32_t x = std::bit_cast<uint32_t>(value);
    if ((x & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
  }
};

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

}  // namespace assay::core
