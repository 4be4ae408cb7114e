#include "verify/diagnosis/type_limits.h"

#include <cmath>

namespace assay::verify::diagnosis {
namespace {

/// What torch.finfo says of an element type, of which `min` is -max.
struct FloatLimits {
  double max, eps, tiny, bits;
};
constexpr FloatLimits float_types[] = {
    {65504.0, 0x1p-10, 0x1p-14, 16},          // float16
    {0x1.fep127, 0x1p-7, 0x1p-126, 16},       // bfloat16
    {0x1.fffffep127, 0x1p-23, 0x1p-126, 32},  // float32
    {0x1.fffffffffffffp1023, 0x1p-52, 0x1p-1022, 64},
};

/// What torch.iinfo says, of which `bits` says nothing that bytes would not.
struct IntLimits {
  double max, min;
};
constexpr IntLimits int_types[] = {
    {255, 0}, {127, -128}, {32767, -32768}, {0x1p31 - 1, -0x1p31}, {0x1p63, -0x1p63},
};

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * std::fmax(std::fabs(a), std::fabs(b));
}

/// Whether `a` and `b` are the same multiple of two numbers, which they do not overflow.
bool same_multiple(double a, double b, double of_a, double of_b) {
  return a != 0 && of_a != of_b && close(a / of_a, b / of_b);
}

/// Whether `is` holds for two different rows of a table.
template <typename Table>
bool any_two(const Table& table, auto&& is) {
  for (const auto& x : table) {
    for (const auto& y : table) {
      if (&x != &y && is(x, y)) return true;
    }
  }
  return false;
}

}  // namespace

bool are_limits(double a, double b) {
  if (a == b) return false;
  auto of_floats = [&](const FloatLimits& x, const FloatLimits& y) {
    return (a == x.max && b == y.max) || (a == -x.max && b == -y.max) ||
           (a == x.eps && b == y.eps) || (a == x.tiny && b == y.tiny);
  };
  auto of_ints = [&](const IntLimits& x, const IntLimits& y) {
    return (a == x.max && b == y.max) || (a == x.min && b == y.min);
  };
  return any_two(float_types, of_floats) || any_two(int_types, of_ints);
}

bool follow_limits(double a, double b) {
  if (a == b) return false;
  constexpr double bits_of_a_byte = 8;
  auto follows = [&](const FloatLimits& x, const FloatLimits& y) {
    auto multiple = [&](double of_a, double of_b) {
      return same_multiple(a, b, of_a, of_b) ||
             same_multiple(a, b, std::sqrt(of_a), std::sqrt(of_b));
    };
    bool width = (a == x.bits && b == y.bits) ||
                 (a * bits_of_a_byte == x.bits && b * bits_of_a_byte == y.bits);
    return width || multiple(x.max, y.max) || multiple(x.eps, y.eps) || multiple(x.tiny, y.tiny);
  };
  return are_limits(a, b) || any_two(float_types, follows);
}

}  // namespace assay::verify::diagnosis
