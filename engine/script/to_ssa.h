#pragma once

#include "engine/ir/graph.h"

namespace assay::script {

/// Brings a freshly emitted graph into the IR's form: variables (`prim::Load`, `prim::Store`)
/// become values, branches and loops get outputs for the variables they change, a loop's condition
/// moves from its second block to where it is tested, and exits (exits.h) are taken out.
void to_ssa(ir::Graph& graph);

}  // namespace assay::script
