#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Puts the branch that a constant chooses in the place of its `prim::If`, and removes
/// `prim::Loop`s that a constant says do not turn. True if there were any.
bool prune_branches(Graph& graph);

}  // namespace assay::ir
