#pragma once

#include "engine/ir/graph.h"

namespace assay::script {

/// Removes `prim::ReturnStmt` and `prim::LoopContinuation` (what break and continue have become):
/// what follows a node that may have left its block runs under a condition, and the values that
/// leave early become results of the blocks in between.
void remove_exits(ir::Graph& graph);

}  // namespace assay::script
