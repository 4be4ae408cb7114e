#pragma once

#include <optional>

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::ops {
struct Operator;
}

namespace assay::script::detail {

// The steps of clean_up, in the order in which it takes them.

/// `[]` that nothing gave a type becomes a list of tensors.
void settle_empty_lists(ir::Block* block);
/// Closures get a graph of their own; forked ones become `prim::fork`.
void lift_closures(ir::Graph& graph);
/// Reads the parts of a tuple where it was made from.
void lower_simple_tuples(ir::Graph& graph);
/// Computes what only constants go into, and drops branches and loops that are never taken.
void fold_constants(ir::Graph& graph);
/// An operator's results for constant arguments. Nothing for operators of tensors, for those whose
/// results depend on more than the arguments, and where the operator raises.
std::optional<core::Values> evaluate(const ops::Operator& op, const core::Values& arguments);
/// Whether a node does more than give its outputs and write to its inputs.
bool has_side_effects(const ir::Node* node);
/// Orders the outputs of branches and loops by their first use.
void order_outputs(ir::Block* block);
/// Gives every aten::warn its number, so that each warns once.
void number_warnings(ir::Graph& graph);

}  // namespace assay::script::detail
