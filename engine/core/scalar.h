#pragma once

#include <complex>
#include <cstdint>

#include "engine/core/dtype.h"

namespace assay::core {

/// A number as Python knows it: bool, int, float or complex.
class Scalar {
 public:
  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool v) : category_(DTypeCategory::boolean), int_(v) {}      // NOLINT
  Scalar(int64_t v) : category_(DTypeCategory::integral), int_(v) {}  // NOLINT
  Scalar(int v) : Scalar(static_cast<int64_t>(v)) {}                  // NOLINT
  Scalar(double v) : category_(DTypeCategory::floating), real_(v) {}  // NOLINT
  Scalar(Complex128 v)
      : category_(DTypeCategory::complex), real_(v.real()), imag_(v.imag()) {}  // NOLINT

  DTypeCategory category() const { return category_; }
  bool is_bool() const { return category_ == DTypeCategory::boolean; }
  bool is_int() const { return category_ == DTypeCategory::integral; }
  bool is_float() const { return category_ == DTypeCategory::floating; }
  bool is_complex() const { return category_ == DTypeCategory::complex; }

  /// Conversions truncate towards zero and drop the imaginary part.
  int64_t to_int() const { return holds_int() ? int_ : static_cast<int64_t>(real_); }
  double to_double() const { return holds_int() ? static_cast<double>(int_) : real_; }
  bool to_bool() const { return holds_int() ? int_ != 0 : real_ != 0 || imag_ != 0; }
  Complex128 to_complex() const { return {to_double(), is_complex() ? imag_ : 0.0}; }

  /// The value as an element of type T (one of the C++ types in dtype.def).
  template <typename T>
  T to() const {
    if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
      Complex128 c = to_complex();
      using Part = typename T::value_type;
      return T(static_cast<Part>(c.real()), static_cast<Part>(c.imag()));
    } else if constexpr (std::is_same_v<T, Bool>) {
      return to_bool();
    } else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return T(static_cast<float>(to_double()));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(to_int());
    } else {
      return static_cast<T>(to_double());
    }
  }

  /// The element type of a tensor made from this number: bool, int64, the default float type
  /// (here float32), complex64.
  DType natural_dtype(DType default_float = DType::float32) const {
    switch (category_) {
      case DTypeCategory::boolean:
        return DType::boolean;
      case DTypeCategory::integral:
        return DType::int64;
      case DTypeCategory::floating:
        return default_float;
      case DTypeCategory::complex:
        break;
    }
    return complex_of(default_float);
  }

 private:
  bool holds_int() const { return category_ <= DTypeCategory::integral; }

  DTypeCategory category_;
  int64_t int_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

}  // namespace assay::core
