#pragma once

#include <cstdint>
#include <limits>

namespace assay::core {

/// An element of a bool tensor. PyTorch writes 0 and 1, but archives and memory that nobody has
/// written hold other bytes, which no C++ `bool` may be: all but 0 are true.
struct Bool {
  uint8_t bits = 0;

  Bool() = default;
  constexpr Bool(bool value) : bits(value) {}  // NOLINT: as the built-in types convert.
  constexpr operator bool() const { return bits != 0; }
};

}  // namespace assay::core

template <>
struct std::numeric_limits<assay::core::Bool> : std::numeric_limits<bool> {};
