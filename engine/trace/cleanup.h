#pragma once

#include "engine/ir/graph.h"

namespace assay::trace {

/// What PyTorch does to every graph that was traced: parts of tuples are read where the tuples were
/// made, and what nobody needs goes.
void clean_up(ir::Graph& graph);

/// Operators get their standard names, and `rsub(a, b)` becomes `sub(b, a)`.
void normalize_names(ir::Graph& graph);

}  // namespace assay::trace
