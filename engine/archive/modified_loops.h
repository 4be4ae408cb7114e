#pragma once

#include <memory>

#include "engine/ir/graph.h"

namespace assay::archive {

/// A graph without loops that have both a trip count and a condition (`for` with `break`), for
/// which the source language has no statement: in a copy they become while loops that count. The
/// graph itself where it has none.
std::shared_ptr<ir::Graph> without_modified_loops(const std::shared_ptr<ir::Graph>& graph);

}  // namespace assay::archive
