#include "tests/conformance/compare.h"

#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/core/host_access.h"

namespace assay::conformance {
namespace {

using core::Tensor;
using core::Value;
using Difference = std::optional<std::string>;

struct Bounds {
  double rtol, atol;
};

/// The tolerances that PyTorch's own tests use.
Bounds bounds_of(core::DType dtype, const Tolerance& tolerance) {
  Bounds bounds{0, 0};
  switch (core::real_of(dtype)) {
    case core::DType::float64:
      bounds = {1e-7, 1e-7};
      break;
    case core::DType::float32:
      bounds = {1.3e-6, 1e-5};
      break;
    case core::DType::float16:
      bounds = {1e-3, 1e-5};
      break;
    case core::DType::bfloat16:
      bounds = {1.6e-2, 1e-5};
      break;
    default:
      return bounds;
  }
  if (tolerance.rtol) bounds.rtol = *tolerance.rtol;
  if (tolerance.atol) bounds.atol = *tolerance.atol;
  return bounds;
}

bool near(double actual, double expected, Bounds bounds) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return actual == expected;
  return std::fabs(actual - expected) <= bounds.atol + bounds.rtol * std::fabs(expected);
}

bool near(core::Complex128 actual, core::Complex128 expected, Bounds bounds) {
  bool finite = std::isfinite(expected.real()) && std::isfinite(expected.imag());
  if (finite && std::isfinite(actual.real()) && std::isfinite(actual.imag())) {
    return std::abs(actual - expected) <= bounds.atol + bounds.rtol * std::abs(expected);
  }
  return near(actual.real(), expected.real(), bounds) &&
         near(actual.imag(), expected.imag(), bounds);
}

template <typename T>
Difference elements(const Tensor& actual, const Tensor& expected, Bounds bounds,
                    const std::string& path) {
  core::Dims at(actual.sizes().size(), 0);
  for (int64_t i = 0; i < actual.numel(); ++i) {
    int64_t a = 0, e = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      a += at[d] * actual.strides()[d];
      e += at[d] * expected.strides()[d];
    }
    T x = actual.data<T>()[a], y = expected.data<T>()[e];
    bool same = true;
    std::string shown;
    if constexpr (std::is_same_v<T, core::Complex64> || std::is_same_v<T, core::Complex128>) {
      same = near(core::Complex128(x), core::Complex128(y), bounds);
      shown = fmt::format("{}+{}j, expected {}+{}j", double(x.real()), double(x.imag()),
                          double(y.real()), double(y.imag()));
    } else if constexpr (std::is_integral_v<T>) {
      same = x == y;
      shown = fmt::format("{}, expected {}", static_cast<int64_t>(x), static_cast<int64_t>(y));
    } else {
      same = near(static_cast<double>(x), static_cast<double>(y), bounds);
      shown = fmt::format("{}, expected {}", static_cast<double>(x), static_cast<double>(y));
    }
    if (!same) return fmt::format("{}{} is {}", path, at, shown);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < actual.sizes()[d]) break;
      at[d] = 0;
    }
  }
  return std::nullopt;
}

Difference tensors(const Tensor& given, const Tensor& expected, const Tolerance& tolerance,
                   const std::string& path) {
  Tensor actual = core::to_host(given);
  if (actual.dtype() != expected.dtype()) {
    return fmt::format("{} has dtype {}, expected {}", path, core::python_name(actual.dtype()),
                       core::python_name(expected.dtype()));
  }
  if (actual.sizes() != expected.sizes()) {
    return fmt::format("{} has shape {}, expected {}", path, actual.sizes(), expected.sizes());
  }
  if (tolerance.shapes_only) return std::nullopt;
  Bounds bounds = bounds_of(actual.dtype(), tolerance);
  switch (actual.dtype()) {
#define DTYPE(name, number, python, script, type, category) \
  case core::DType::name: {                                 \
    using namespace core;                                   \
    return elements<type>(actual, expected, bounds, path);  \
  }
#include "engine/core/dtype.def"
#undef DTYPE
  }
  return fmt::format("{} has an unknown dtype", path);
}

Difference sequences(const core::Values& actual, const core::Values& expected,
                     const Tolerance& tolerance, const std::string& path) {
  if (actual.size() != expected.size()) {
    return fmt::format("{} has {} items, expected {}", path, actual.size(), expected.size());
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    auto found = difference(actual[i], expected[i], tolerance, fmt::format("{}[{}]", path, i));
    if (found) return found;
  }
  return std::nullopt;
}

Difference dicts(const core::DictObject& actual, const core::DictObject& expected,
                 const Tolerance& tolerance, const std::string& path) {
  if (actual.size() != expected.size()) {
    return fmt::format("{} has {} entries, expected {}", path, actual.size(), expected.size());
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const auto &a = actual.entries()[i], &e = expected.entries()[i];
    std::string at = fmt::format("{}{{{}}}", path, i);
    if (auto found = difference(a.key, e.key, tolerance, at + " key")) return found;
    if (auto found = difference(a.value, e.value, tolerance, at)) return found;
  }
  return std::nullopt;
}

/// A case names the class by its last part and lists the attributes that matter.
Difference objects(const core::Object& actual, const core::Object& expected,
                   const Tolerance& tolerance, const std::string& path) {
  for (const auto& attribute : expected.type->attributes()) {
    auto found = difference(actual.attribute(attribute.name), expected.attribute(attribute.name),
                            tolerance, path + "." + attribute.name);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

Difference difference(const Value& actual, const Value& expected, const Tolerance& tolerance,
                      const std::string& path) {
  if (actual.is_future()) return difference(actual.future().value, expected, tolerance, path);
  if (actual.tag() != expected.tag()) {
    return fmt::format("{} is a value of type {}, expected {}", path, actual.kind_name(),
                       expected.kind_name());
  }
  Bounds bounds = bounds_of(core::DType::float32, tolerance);
  auto unless = [&](bool same) -> Difference {
    if (same || tolerance.shapes_only) return std::nullopt;
    return path + " has another value";
  };
  switch (actual.tag()) {
    case Value::Tag::tensor:
      return tensors(actual.to_tensor(), expected.to_tensor(), tolerance, path);
    case Value::Tag::floating:
      return unless(near(actual.to_float(), expected.to_float(), bounds));
    case Value::Tag::complex:
      return unless(near(actual.to_complex(), expected.to_complex(), bounds));
    case Value::Tag::list:
      return sequences(actual.list().items, expected.list().items, tolerance, path);
    case Value::Tag::tuple:
      return sequences(actual.tuple().items, expected.tuple().items, tolerance, path);
    case Value::Tag::dict:
      return dicts(actual.dict(), expected.dict(), tolerance, path);
    case Value::Tag::object:
      return objects(actual.object(), expected.object(), tolerance, path);
    case Value::Tag::enumeration:
      return unless(actual.enumeration().name == expected.enumeration().name);
    default:
      return unless(actual.equals(expected));
  }
}

}  // namespace assay::conformance
