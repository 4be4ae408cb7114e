#pragma once

#include <vector>

#include "engine/ir/graph.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

/// The first overload of `kind` whose parameters, one by one, take these inputs without any
/// conversion; null if there is none or the catalog does not have the name.
const ops::Operator* find_overload(base::Symbol kind, const std::vector<Value*>& inputs);

/// Sets Node::op of every node that has none and that find_overload finds one for, nested blocks
/// included.
void resolve_operators(Graph& graph);

}  // namespace assay::ir
