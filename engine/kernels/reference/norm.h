#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace assay::kernels::reference {

/// The p-norm of numbers that come one by one: p = 0 counts what is not zero (NaN is not), infinite
/// p picks the largest or smallest size. NaN is the norm of what has NaN, if p is not 0.
class Norm {
 public:
  explicit Norm(double p) : p_(p) {}

  /// `size` is a number's absolute value.
  void add(double size) {
    nan_ |= std::isnan(size);
    largest_ = std::fmax(largest_, size);
    smallest_ = std::fmin(smallest_, size);
    sum_ += p_ == 0   ? (size != 0 ? 1 : 0)
            : p_ == 1 ? size
            : p_ == 2 ? size * size
                      : std::pow(size, p_);
  }
  bool has_nan() const { return nan_; }
  /// Of no numbers at all: 0, for p = -inf infinity.
  double result() const {
    if (p_ == 0) return sum_;
    if (nan_) return std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(p_)) return p_ > 0 ? largest_ : smallest_;
    return p_ == 1 ? sum_ : p_ == 2 ? std::sqrt(sum_) : std::pow(sum_, 1 / p_);
  }

 private:
  double p_;
  double largest_ = 0, smallest_ = std::numeric_limits<double>::infinity(), sum_ = 0;
  bool nan_ = false;
};

}  // namespace assay::kernels::reference
