#pragma once

#include "engine/ir/graph.h"

namespace assay::optimize {

/// Replaces operators that work in place by their functional overloads, where the value that they
/// write was made by an operator of the same block for this use only: nobody else can see the
/// write. `relu_(conv(x))` becomes `relu(conv(x))`. Later readers of the written value read the new
/// one.
void make_functional(ir::Graph& graph);

/// Removes dropout that a constant says is off: it gives its argument back.
void remove_idle_dropout(ir::Graph& graph);

}  // namespace assay::optimize
