#pragma once

#include "engine/ir/graph.h"

namespace assay::script {

/// What PyTorch does to every graph that its compiler has made: forked closures become graphs of
/// their own, operator aliases get their standard name, tuples that are taken apart at once vanish,
/// operators on plain constants are computed, dead nodes go, equal constants become one and move to
/// the top, and outputs of branches and loops are ordered by use.
void clean_up(ir::Graph& graph);

}  // namespace assay::script
