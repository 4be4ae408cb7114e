#pragma once

#include "engine/ir/graph.h"
#include "engine/ir/unit.h"

namespace assay::ir {

/// Replaces every call of a function or method that the unit knows by the callee's body, at any
/// depth, so that one graph holds the whole program. Calls whose callee is only known at run time
/// (interfaces, function values) stay. Nodes keep their source ranges. Input error if the calls are
/// nested deeper than 200 (recursion).
void inline_calls(Graph& graph, Unit& unit);

}  // namespace assay::ir
