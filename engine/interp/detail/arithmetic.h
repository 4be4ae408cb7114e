#pragma once

#include <cmath>
#include <cstdint>

#include "engine/base/error.h"

namespace assay::interp {

// Integer arithmetic of TorchScript: it wraps around, and division rounds down.

inline int64_t wrapping_add(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}
inline int64_t wrapping_sub(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}
inline int64_t wrapping_mul(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
}

inline int64_t floor_divide(int64_t x, int64_t y) {
  base::check(y != 0, "division by 0");
  if (y == -1) return wrapping_sub(0, x);  // The lowest int has no positive counterpart.
  int64_t quotient = x / y;
  bool rounds_up = x % y != 0 && (x < 0) != (y < 0);
  return rounds_up ? quotient - 1 : quotient;
}

/// The rest that goes with floor_divide: of y's sign.
inline int64_t floor_modulo(int64_t x, int64_t y) {
  base::check(y != 0, "division by 0");
  if (y == -1) return 0;
  int64_t rest = x % y;
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

}  // namespace assay::interp
