#pragma once

#include <cstdint>

#include "engine/base/error.h"

/// Arithmetic on sizes and counts that programs choose: an input error where the result leaves 64
/// bits.
namespace assay::base {

inline int64_t checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    fail("the size ", a, " + ", b, " overflows 64 bits");
  return sum;
}

inline int64_t checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    fail("the size ", a, " * ", b, " overflows 64 bits");
  return product;
}

}  // namespace assay::base
