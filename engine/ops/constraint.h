#pragma once

#include <array>
#include <climits>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/value.h"
#include "engine/ops/arg_name.h"

/// What a row of the catalog requires of its arguments, beyond their static types. The dispatcher
/// checks it before rule and kernels, which then rely on it:
///
///     OP("aten::bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", computed,
///        exact, require<types(arg::self, integral), at_least(arg::minlength, 0)>)
///
/// What depends on sizes is the rule's business. Constraints of a functional row hold for its
/// variants.
namespace assay::ops {

struct Operator;

/// A set of element types.
struct DTypes {
  uint16_t bits;

  constexpr bool has(core::DType dtype) const { return bits >> static_cast<int>(dtype) & 1; }
  friend constexpr DTypes operator|(DTypes a, DTypes b) {
    return {static_cast<uint16_t>(a.bits | b.bits)};
  }
  /// Those of `a` that are not in `b`.
  friend constexpr DTypes operator-(DTypes a, DTypes b) {
    return {static_cast<uint16_t>(a.bits & ~b.bits)};
  }
};

/// The set of one type.
constexpr DTypes only(core::DType dtype) {
  return {static_cast<uint16_t>(1u << static_cast<int>(dtype))};
}

/// The sets that kernels are written for. `integral` is without bool.
#define DTYPE(name, number, python, script, type, category) \
  (core::DTypeCategory::category == wanted ? 1u << number : 0u) |
constexpr DTypes of_category(core::DTypeCategory wanted) {
  return {static_cast<uint16_t>(
#include "engine/core/dtype.def"
      0u)};
}
#undef DTYPE
namespace dtypes {
inline constexpr DTypes boolean = of_category(core::DTypeCategory::boolean),
                        integral = of_category(core::DTypeCategory::integral),
                        floating = of_category(core::DTypeCategory::floating),
                        complex = of_category(core::DTypeCategory::complex),
                        float16 = only(core::DType::float16), float32 = only(core::DType::float32),
                        bfloat16 = only(core::DType::bfloat16), int32 = only(core::DType::int32),
                        int64 = only(core::DType::int64), real = boolean | integral | floating,
                        all = real | complex;
}  // namespace dtypes

/// One requirement. An argument that is None or undefined meets all; of a list, each item must.
struct Constraint {
  enum class Kind : uint8_t {
    types,      ///< Tensors have one of `types`.
    cpu_types,  ///< Tensors on the CPU do: some of PyTorch's CPU kernels lack a type.
    same_type,  ///< Two tensor arguments have one element type.
    rank,       ///< Tensors have `low` to `high` dimensions.
    at_least,   ///< Integers are at least `low`.
    fits,       ///< A number can be held by the element type of a tensor, if that is of `types`.
    length,     ///< A list has `low` to `high` items; a single one may stand for an `int[n]`.
  };
  Kind kind;
  ArgName argument;
  ArgName other{};
  DTypes dtypes{};
  int64_t low = 0;
  int64_t high = INT64_MAX;
};

/// The requirements of a row, as a fact of it.
template <Constraint... all>
inline constexpr std::array<Constraint, sizeof...(all)> constraint_list{all...};
template <Constraint... all>
inline constexpr std::span<const Constraint> require{constraint_list<all...>};

namespace constraints {
constexpr Constraint types(ArgName argument, DTypes set) {
  return {Constraint::Kind::types, argument, {}, set};
}
constexpr Constraint cpu_types(ArgName argument, DTypes set) {
  return {Constraint::Kind::cpu_types, argument, {}, set};
}
constexpr Constraint same_type(ArgName argument, ArgName other) {
  return {Constraint::Kind::same_type, argument, other};
}
constexpr Constraint rank(ArgName argument, int64_t low, int64_t high) {
  return {Constraint::Kind::rank, argument, {}, {}, low, high};
}
constexpr Constraint at_least(ArgName argument, int64_t low) {
  return {Constraint::Kind::at_least, argument, {}, {}, low};
}
/// Infinity fits every floating type, anything fits bool, and a negative integer an unsigned type.
constexpr Constraint fits(ArgName number, ArgName tensor, DTypes set = dtypes::all) {
  return {Constraint::Kind::fits, number, tensor, set};
}
/// The number takes part in a computation, which is float32's for float16 tensors.
constexpr Constraint computes_with(ArgName number, ArgName tensor) {
  return fits(number, tensor, dtypes::all - dtypes::float16);
}
constexpr Constraint length(ArgName argument, int64_t low, int64_t high) {
  return {Constraint::Kind::length, argument, {}, {}, low, high};
}
}  // namespace constraints

/// A constraint with the positions of its arguments.
struct ArgumentCheck {
  Constraint constraint;
  size_t argument, other;
};

/// What an operator's own row requires (catalog.cpp); empty for most.
const std::vector<ArgumentCheck>& checks_of(const Operator& op);

/// Whether an element type can hold a number, as the constraint `fits` says.
bool fits(const core::Scalar& number, core::DType dtype);

/// Raises an input error that names the operator and the argument where an element type cannot hold
/// its number, as `fits` says: for rules, which know the result's type.
void check_fits(const Operator& op, size_t argument, const core::Scalar& number, core::DType dtype);

/// Raises an input error that names the operator, the argument and what it is where `args`, those
/// of the functional operator, do not meet what its row requires.
void check_arguments(const Operator& op, std::span<const core::Value> args);

}  // namespace assay::ops
