#pragma once

#include "engine/core/value.h"
#include "engine/interp/interpreter.h"
#include "engine/ops/schema.h"

namespace assay::interp {

/// The value as a parameter of this type receives it from a Python caller, by the rules of
/// TorchScript's bindings: an int may stand for a float, None for a tensor, a tensor of one element
/// for a number, any number for a bool, a list for a tuple and the reverse, a text for a device;
/// lists and dicts are copied. Nothing if it does not fit.
std::optional<core::Value> convert_argument(const core::Value& value, const core::TypePtr& type);

/// One value per parameter of the schema: converted arguments, keywords by name, defaults. Input
/// error in PyTorch's words for too many, missing, unknown and doubly given arguments, and for ones
/// of the wrong type.
core::Values bind_arguments(const ops::Schema& schema, const core::Values& args,
                            const Keywords& keywords);

}  // namespace assay::interp
