#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/ops/catalog.h"

namespace assay::ops {

/// An argument of a call as the compiler knows it.
struct Actual {
  core::TypePtr type;
  std::string name = {};  ///< Keyword, or empty for a positional argument.
  base::SourceRange range = {};
};

/// What has to be done to an actual argument before it is of the formal type. These are
/// TorchScript's implicit conversions.
enum class Conversion : uint8_t {
  none,
  tensor_to_int,      ///< aten::IntImplicit
  tensor_to_float,    ///< aten::FloatImplicit
  tensor_to_complex,  ///< aten::ComplexImplicit
  tensor_to_number,   ///< aten::ScalarImplicit
  string_to_device,   ///< aten::device
  tuple_to_list,      ///< prim::TupleUnpack, prim::ListConstruct
  repeat_to_list,     ///< a single element where `int[2]` is wanted
  gather_to_list,     ///< f(1, 2, 3) where f takes one list last
  none_to_optional,   ///< None where an Optional is wanted (the type of the constant changes)
};

/// How one formal argument is filled.
struct Binding {
  std::vector<size_t> actuals;  ///< Positions in the call; empty: the default value.
  Conversion conversion = Conversion::none;
  core::TypePtr type;  ///< The formal type with its type variables replaced.
};

/// A call that fits a schema.
struct Match {
  std::vector<Binding> bindings;       ///< One per formal argument; varargs follow one by one.
  std::vector<core::TypePtr> returns;  ///< With type variables replaced.
};

using TypeVariables = std::map<std::string, core::TypePtr>;

/// Binds the type variables of `formal` (`t`, `t[]`, `Dict(str, t)`) so that `actual` fits it.
/// Returns false, with the reason, if it cannot.
bool bind_type(const core::TypePtr& formal, const core::TypePtr& actual, TypeVariables& variables,
               std::string* why = nullptr);
/// Replaces type variables; unbound ones stay.
core::TypePtr substitute(const core::TypePtr& type, const TypeVariables& variables);

/// Tries one schema. With `conversions` false only gather and repeat are allowed, as in the first
/// round of TorchScript's resolution. On failure gives the reason.
std::optional<Match> match(const Schema& schema, std::span<const Actual> actuals, bool conversions,
                           std::string* why = nullptr);

struct Resolved {
  const Operator* op;
  Match match;
};

/// Overload resolution: the first overload that fits without implicit conversions, else the first
/// that fits with them. Raises an input error at `range` that lists each candidate with the reason
/// why it does not fit; an `unsupported` error if the name is unknown.
Resolved resolve(base::Symbol name, std::span<const Actual> actuals,
                 const base::SourceRange& range = {});

}  // namespace assay::ops
