#pragma once

#include "engine/core/value.h"
#include "engine/interp/interpreter.h"
#include "engine/ops/schema.h"

namespace assay::interp {

/// The value as a parameter of this type receives it from a Python caller, by the rules of
/// TorchScript's binding: an int may stand for a float, any number for a Scalar, a list or tuple
/// for a list, a tuple for a named tuple; lists and dicts are copied. Nothing if it does not fit.
std::optional<core::Value> convert_argument(const core::Value& value, const core::TypePtr& type);

/// One value per parameter of the schema: converted arguments, keywords by name, defaults. Input
/// error in PyTorch's words for too many, missing, unknown and doubly given arguments, and for ones
/// of the wrong type.
core::Values bind_arguments(const ops::Schema& schema, const core::Values& args,
                            const Keywords& keywords);

}  // namespace assay::interp
