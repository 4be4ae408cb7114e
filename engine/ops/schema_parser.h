#pragma once

#include <string_view>

#include "engine/ops/schema.h"

namespace assay::ops {

/// Reads ATen's schema notation: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) ->
/// Tensor`. Raises an input error with a caret at the first thing that does not fit.
Schema parse_schema(std::string_view text);

/// Reads a type in the notation of schemas and printed graphs: `Tensor?[]`, `Dict(str, int)`,
/// `(int, Tensor)`, `t[]`. `resolve_name` turns a qualified name such as `__torch__.Net` into a
/// type; without it such names are refused.
using NameResolver = std::function<core::TypePtr(const std::string&)>;
core::TypePtr parse_schema_type(std::string_view text, const NameResolver& resolve_name = {});

}  // namespace assay::ops
