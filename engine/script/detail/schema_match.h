#pragma once

#include <optional>
#include <vector>

#include "engine/ops/match.h"
#include "engine/script/detail/emission.h"

namespace assay::script::detail {

// Fitting the arguments of a call to a signature while emitting what that takes: the binder of
// ops/bind.h over values of a graph. Each attempt leaves its constants and conversions in the
// graph, as PyTorch's does, so that values get PyTorch's numbers. What an attempt that failed
// leaves behind is dead and removed by the clean-up after a function is compiled.

/// The arguments in the order of the schema, and the types of the results.
struct MatchedCall {
  std::vector<ir::Value*> inputs;
  std::vector<TypePtr> returns;
  const ops::Schema* schema = nullptr;
};

/// The value converted to the type, as far as TorchScript converts without being asked; the value
/// itself where it does not.
ir::Value* convert_to(Emission& emission, const SourceRange& range, const TypePtr& wanted,
                      ir::Value* value, bool implicit);

/// Whether a value of this type may stand where this list type is wanted.
bool convertible_to_list(const TypePtr& type, const TypePtr& list);

/// Input error at `range` that says why the arguments do not fit.
MatchedCall match_schema(Emission& emission, const SourceRange& range, const ops::Schema& schema,
                         const Actuals& args, const Actuals& kwargs,
                         std::optional<Actual> self = std::nullopt);

/// The same with or without conversions; nothing where the arguments do not fit.
std::optional<MatchedCall> try_match(Emission& emission, const SourceRange& range,
                                     const ops::Schema& schema, const Actuals& args,
                                     const Actuals& kwargs, bool implicit);

/// Calls an operator of the catalog or a function of the built-in library; several results come
/// back as a tuple. Input error at `range` that lists the overloads if none fits; `unsupported`
/// error if there is no such operator.
ir::Value* call_operator(Emission& emission, const SourceRange& range, base::Symbol name,
                         const Actuals& args, const Actuals& kwargs = {},
                         std::optional<Actual> self = std::nullopt);

}  // namespace assay::script::detail
