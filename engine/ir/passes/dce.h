#pragma once

#include "engine/ir/alias.h"
#include "engine/ir/graph.h"

namespace assay::ir {

struct DeadCodeRules {
  /// Whether leaving a node without blocks out could be noticed although nobody reads its outputs.
  bool (*has_effects)(const Node* node) = ir::has_effects;
  /// Whether variables go that a loop only hands to itself.
  bool self_carried = true;
};

/// Removes nodes whose outputs nobody reads, that have no effects, and that write to nothing that
/// is still read or that lives outside of the graph; and outputs of branches and loops that nobody
/// reads. Marks what is needed from the results backwards, then erases the rest.
void remove_dead_code(Graph& graph, const DeadCodeRules& rules = {});

}  // namespace assay::ir
