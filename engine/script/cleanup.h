#pragma once

#include <functional>
#include <optional>

#include "engine/core/value.h"
#include "engine/ir/graph.h"
#include "engine/ops/context.h"

namespace assay::script {

/// Computes an operator's results from constant arguments; nothing if it cannot or raises. Without
/// one, only the structure of a graph is simplified.
using Evaluate =
    std::function<std::optional<core::Values>(const ir::Node& node, const core::Values& arguments)>;

/// Computes with the operators' kernels in `context`, which must outlive the result. Operators
/// whose results depend on more than their arguments are left alone.
Evaluate operator_evaluator(ops::Context& context);

/// What PyTorch does to every graph that its compiler has made: forked closures become graphs of
/// their own, operator aliases get their standard name, tuples that are taken apart at once vanish,
/// operators on plain constants are computed, dead nodes go, equal constants become one and move to
/// the top, and outputs of branches and loops are ordered by use.
void clean_up(ir::Graph& graph, const Evaluate& evaluate = {});

}  // namespace assay::script
