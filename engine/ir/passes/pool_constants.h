#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Whether two `prim::Constant` nodes hold the same: equal types and values, numbers and tensors by
/// their bits.
bool same_constant(const Node* a, const Node* b);

/// Equal constants become one. Constants go to the start of the graph's body, later ones before
/// earlier ones, as PyTorch's constant pooling leaves them. Lists, dictionaries and tensors that
/// the graph may write to stay apart.
void pool_constants(Graph& graph);

}  // namespace assay::ir
