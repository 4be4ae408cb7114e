#pragma once

#include <span>

#include "engine/ir/pass.h"

namespace assay::ir {

/// Every pass that needs nothing but a graph, in the order in which it is useful to run them.
std::span<const Pass> all_passes();

/// What makes graphs comparable: dead code away, equal things once, canonical order and names.
std::span<const Pass> canonical_passes();

/// Runs the passes in order. With `check` the graph is verified after each one (internal error that
/// names the pass).
void run_passes(Graph& graph, std::span<const Pass> passes, bool check = false);

}  // namespace assay::ir
