#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/ops/catalog.h"

namespace assay::kernels::testing {

/// Arguments that must fit together, by name; all others are drawn from the schema alone.
using Named = std::map<std::string, core::Value>;

/// Draws the arguments of a call of a functional operator. Most calls of operators that have a
/// family are right, a few are not; calls of others are as their schema's types allow.
core::Values draw_call(const ops::Operator& op);

/// How the arguments of an operator depend on each other (calls_families.cpp).
using Family = void (*)(const ops::Operator&, Named&);
/// Null for operators that need none.
Family family_of(const ops::Operator& op);

/// Copies tensors with their storages, so that a call may write them; views of one storage remain
/// views of one. To `device`, or each to where it was.
core::Values deep_copy(const core::Values& values, std::optional<core::Device> device = {});
/// The call as text, for messages: layouts and numbers, not elements.
std::string describe(const ops::Operator& op, const core::Values& args);

}  // namespace assay::kernels::testing
