#pragma once

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::ir {

/// Replaces reads of the object's attributes, and of its submodules', by constants. `self` is the
/// graph's first input. Attributes that the graph sets or may write to keep being read, and so do
/// all if the graph calls functions (inline first).
void freeze(Graph& graph, const core::ObjectRef& self);

}  // namespace assay::ir
