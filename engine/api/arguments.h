#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/value.h"
#include "engine/ir/unit.h"
#include "engine/ops/schema.h"

namespace assay::api {

/// Arguments given by name.
using Keywords = std::vector<std::pair<std::string, core::Value>>;

/// Fits a caller's arguments to a function's parameters as PyTorch fits a Python caller's: defaults
/// are filled in, ints become floats where floats are declared, lists and tuples become lists of
/// the declared type, texts become devices, enums given by name become the unit's own. Lists and
/// dicts that have the declared type already are passed on, others are copied. `self` fills the
/// first parameter if it is not None. Input error in PyTorch's words if an argument is missing,
/// unknown, surplus or of another type.
core::Values bind_arguments(ir::Unit& unit, const ops::Schema& schema, const core::Value& self,
                            const core::Values& positional, const Keywords& keywords);

}  // namespace assay::api
