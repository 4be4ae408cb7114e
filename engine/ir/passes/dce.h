#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Removes nodes whose outputs nobody reads, that have no effects (ir::has_effects), and that write
/// to nothing that is still read or that lives outside of the graph. Carried values that a loop
/// only hands to itself go too.
void remove_dead_code(Graph& graph);

}  // namespace assay::ir
