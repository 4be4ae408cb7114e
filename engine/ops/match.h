#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/ops/catalog.h"

namespace assay::ops {

/// The type of an argument of a call.
struct Actual {
  core::TypePtr type;
  std::string name = {};  ///< Keyword, or empty for a positional argument.
};

/// A call that fits a schema as it is, without a conversion: those that TorchScript makes are the
/// front end's (engine/script).
struct Match {
  /// Per parameter, and then per further argument, the position in the call; nothing: the default.
  std::vector<std::optional<size_t>> arguments;
  std::vector<core::TypePtr> returns;  ///< With type variables replaced.
};

using TypeVariables = std::map<std::string, core::TypePtr>;

/// Binds the type variables of `formal` (`t`, `t[]`, `Dict(str, t)`) so that `actual` fits it.
/// Returns false, with the reason, if it cannot.
bool bind_type(const core::TypePtr& formal, const core::TypePtr& actual, TypeVariables& variables,
               std::string* why = nullptr);
/// Replaces type variables; unbound ones stay.
core::TypePtr substitute(const core::TypePtr& type, const TypeVariables& variables);

/// Tries one schema. On failure gives the reason.
std::optional<Match> match(const Schema& schema, std::span<const Actual> actuals,
                           std::string* why = nullptr);

struct Resolved {
  const Operator* op;
  Match match;
};

/// The first overload that fits. Raises an input error at `range` that lists each candidate with
/// the reason why it does not fit; an `unsupported` error if the name is unknown.
Resolved resolve(base::Symbol name, std::span<const Actual> actuals,
                 const base::SourceRange& range = {});

}  // namespace assay::ops
