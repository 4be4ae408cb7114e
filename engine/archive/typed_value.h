#pragma once

#include "engine/archive/visit_budget.h"
#include "engine/core/value.h"

namespace assay::archive {

/// The value as one of the given static type: lists, dicts and named tuples in it get the type's
/// parts as their own types (a pickle holds them untyped). Lists and dicts are changed in place.
/// Input error if the value is not of that type. As in PyTorch, None stands for an undefined
/// tensor. Items looked at count against `visits`.
core::Value typed_value(const core::Value& value, const core::TypePtr& type, VisitBudget& visits);

}  // namespace assay::archive
