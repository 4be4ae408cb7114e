#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Whether the loop both counts and has a condition of its own (`for` with `break`): Python has no
/// statement for it.
bool counts_and_tests(const Node* loop);

/// Makes loops that only test of those that count and test: they carry their counter, and the bound
/// is part of their condition.
void untie_loops(Graph& graph);

}  // namespace assay::ir
