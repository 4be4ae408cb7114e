#include "engine/ops/constraint.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/core/print.h"
#include "engine/ops/catalog.h"

namespace assay::ops {
namespace {

using core::DType;
using core::Tensor;
using core::Value;
using Kind = Constraint::Kind;

/// "Float, Double".
std::string names_of(DTypes set) {
  std::vector<std::string> names;
#define DTYPE(name, number, python, script, type, category) \
  if (set.has(DType::name)) names.emplace_back(script);
#include "engine/core/dtype.def"
#undef DTYPE
  return base::join(names, ", ");
}

/// "1 to 3", "at least 1", "exactly 2".
std::string range_of(const Constraint& c) {
  if (c.low == c.high) return fmt::format("exactly {}", c.low);
  if (c.high == INT64_MAX) return fmt::format("at least {}", c.low);
  return fmt::format("{} to {}", c.low, c.high);
}

/// The least and the greatest number of a type.
std::pair<double, double> range_of_type(DType dtype) {
  switch (dtype) {
    case DType::uint8:
      return {0, UINT8_MAX};
    case DType::int8:
      return {INT8_MIN, INT8_MAX};
    case DType::int16:
      return {INT16_MIN, INT16_MAX};
    case DType::int32:
      return {INT32_MIN, INT32_MAX};
    case DType::int64:
      return {-0x1p63, 0x1p63};
    case DType::float16:
      return {-65504, 65504};
    case DType::bfloat16:
      return {-0x1.fep127, 0x1.fep127};
    case DType::float32:
    case DType::complex64:
      return {-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
    case DType::float64:
    case DType::complex128:
    case DType::boolean:
      break;
  }
  return {-INFINITY, INFINITY};
}

/// The checks of one call.
class Checker {
 public:
  Checker(const Operator& op, std::span<const Value> args) : op_(op), args_(args) {}

  void check(const ArgumentCheck& check) const {
    const Value& value = args_[check.argument];
    if (check.constraint.kind == Kind::length) return check_length(check, value);
    if (!value.is_list()) return check_item(check, value);
    for (const Value& item : value.list().items) check_item(check, item);
  }

 private:
  void check_item(const ArgumentCheck& check, const Value& value) const {
    if (value.is_none()) return;
    const Constraint& c = check.constraint;
    if (c.kind == Kind::at_least) {
      int64_t number = value.to_int();
      return require(number >= c.low, check, "must be at least ", c.low, ", but is ", number);
    }
    if (c.kind == Kind::fits) return check_fits(check, value);
    if (!value.is_tensor()) return;  // A number where a variant takes a tensor.
    Tensor t = value.to_tensor();
    switch (c.kind) {
      case Kind::types:
        return check_type(check, t);
      case Kind::cpu_types:
        if (t.device().type == core::DeviceType::cpu) check_type(check, t);
        return;
      case Kind::rank:
        require(t.dim() >= c.low && t.dim() <= c.high, check, "must have ", range_of(c),
                " dimensions, but has shape ", t.sizes());
        return;
      default:
        return check_same_type(check, t);
    }
  }

  void check_fits(const ArgumentCheck& check, const Value& value) const {
    const Value& other = args_[check.other];
    bool one_tensor = value.is_tensor() && value.to_tensor().dim() == 0;
    if (!other.is_tensor() || (value.is_tensor() && !one_tensor)) return;
    if (one_tensor && !core::has_bytes(value.to_tensor())) return;
    DType dtype = other.to_tensor().dtype();
    if (!check.constraint.dtypes.has(dtype)) return;
    core::Scalar number = one_tensor ? core::first_element(value.to_tensor()) : value.to_scalar();
    ops::check_fits(op_, check.argument, number, dtype);
  }

  void check_type(const ArgumentCheck& check, const Tensor& t) const {
    require(check.constraint.dtypes.has(t.dtype()), check, "is of ", core::script_name(t.dtype()),
            ", but must be of one of ", names_of(check.constraint.dtypes));
  }

  /// The other argument is None, a tensor, or a list of tensors.
  void check_same_type(const ArgumentCheck& check, const Tensor& t) const {
    const Value& value = args_[check.other];
    if (value.is_tensor()) return check_same_type(check, t, value.to_tensor());
    if (!value.is_list()) return;
    for (const Value& item : value.list().items) {
      if (item.is_tensor()) check_same_type(check, t, item.to_tensor());
    }
  }

  void check_same_type(const ArgumentCheck& check, const Tensor& t, const Tensor& other) const {
    require(t.dtype() == other.dtype(), check, "is of ", core::script_name(t.dtype()), ", but '",
            name_of(check.other), "' of ", core::script_name(other.dtype()),
            ": expected the same scalar type");
  }

  void check_length(const ArgumentCheck& check, const Value& value) const {
    if (!value.is_list()) return;
    auto count = static_cast<int64_t>(value.list().items.size());
    bool repeated = count == 1 && op_.schema.arguments[check.argument].list_size;
    const Constraint& c = check.constraint;
    require(repeated || (count >= c.low && count <= c.high), check, "must have ", range_of(c),
            " items, but has ", count);
  }

  const std::string& name_of(size_t argument) const { return op_.schema.arguments[argument].name; }

  template <typename... Words>
  void require(bool met, const ArgumentCheck& check, const Words&... words) const {
    if (!met)
      base::fail(op_.qualified_name, ": argument '", name_of(check.argument), "' ", words...);
  }

  const Operator& op_;
  std::span<const Value> args_;
};

}  // namespace

bool fits(const core::Scalar& number, DType dtype) {
  auto [lowest, highest] = range_of_type(dtype);
  if (number.is_bool()) return true;
  if (number.is_complex()) {
    auto parts = number.to_complex();
    return fits(parts.real(), dtype) && fits(parts.imag(), dtype);
  }
  double value = number.to_double();
  bool floating = core::category_of(dtype) != core::DTypeCategory::integral;
  if (floating && !std::isfinite(value)) return true;
  // Negative integers wrap in unsigned types.
  if (dtype == DType::uint8 && number.is_int()) lowest = -highest;
  return value >= lowest && value <= highest;
}

void check_fits(const Operator& op, size_t argument, const core::Scalar& number, DType dtype) {
  if (fits(number, dtype)) return;
  base::fail(op.qualified_name, ": argument '", op.schema.arguments[argument].name, "' is ",
             core::display(Value(number)), ", which ", core::script_name(dtype),
             " cannot hold: it cannot be converted without overflow");
}

void check_arguments(const Operator& op, std::span<const Value> args) {
  Checker checker(op, args);
  for (const ArgumentCheck& check : checks_of(op)) checker.check(check);
}

}  // namespace assay::ops
