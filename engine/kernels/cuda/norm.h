#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/cuda/element.h"

namespace assay::kernels::cuda {

/// How a p-norm is made of sizes (absolute values) in a reduction: p = 0 counts what is not zero
/// (NaN is not), infinite p picks the largest or smallest size. NaN is the norm of what has NaN, if
/// p is not 0.
// What is not inline is called instead of being written out in each turn of a reduction's loops:
// the code would become too large to be compiled in bearable time.
class Norm {
 public:
  explicit Norm(double power)
      : p_(power),
        kind_(std::isinf(power) ? (power > 0 ? Kind::largest : Kind::smallest)
              : power == 0      ? Kind::count
              : power == 1      ? Kind::sum
              : power == 2      ? Kind::euclidean
                                : Kind::any) {}

  /// The size of an element.
  static ASSAY_NOT_INLINE double size_at(const std::byte* at, core::DType dtype) {
    using std::abs;
    return is_complex(dtype) ? abs(load<Complex<double>>(at, dtype)) : abs(load<double>(at, dtype));
  }
  static ASSAY_ANYWHERE bool is_complex(core::DType dtype) {
    return dtype == core::DType::complex64 || dtype == core::DType::complex128;
  }
  /// What no sizes add up to.
  ASSAY_ANYWHERE double start() const {
    return kind_ == Kind::smallest ? std::numeric_limits<double>::infinity() : 0;
  }
  /// A size as a summand.
  ASSAY_ANYWHERE double part(double size) const {
    if (kind_ == Kind::count) return size != 0;
    if (kind_ == Kind::euclidean) return size * size;
    return kind_ == Kind::any ? power_of(size, p_) : size;
  }
  ASSAY_ANYWHERE double join(double a, double b) const {
    if (kind_ != Kind::largest && kind_ != Kind::smallest) return a + b;
    if (a != a || b != b) return a + b;
    return (kind_ == Kind::largest) == (a > b) ? a : b;
  }
  /// The norm whose parts are joined to `total`.
  ASSAY_ANYWHERE double end(double total) const {
    using std::sqrt;
    if (kind_ == Kind::euclidean) return sqrt(total);
    return kind_ == Kind::any ? power_of(total, 1 / p_) : total;
  }

 private:
  enum class Kind : uint8_t { count, sum, euclidean, largest, smallest, any };

  static ASSAY_NOT_INLINE double power_of(double size, double p) {
    using std::pow;
    return pow(size, p);
  }

  double p_;
  Kind kind_;
};

}  // namespace assay::kernels::cuda
