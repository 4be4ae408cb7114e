#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/graph.h"

namespace assay::ir {

/// A broken rule. Labels are stable; what each demands:
///   ir.v1  A value is defined before it is read, in the same block or one around it.
///   ir.v2  Inputs and use lists agree, outputs know their node, blocks know their owner.
///   ir.v3  `prim::If` reads one bool, has two blocks without parameters, and both give one result
///          for each output.
///   ir.v4  `prim::Loop` reads a trip count (int), a first condition (bool) and the carried values;
///          its one block takes the counter (int) and the carried values and gives the next
///          condition (bool) and the carried values; the outputs are the carried values.
///   ir.v5  `prim::Constant` has no inputs and one output, of the type of what it holds.
///   ir.v6  A call of a catalog operator reads what the operator's schema wants, in number and
///   type,
///          and has one output for each return.
///   ir.v7  Only `prim::If`, `prim::Loop`, `prim::With`, `prim::Closure` and `prim::TryCatch` have
///          blocks.
///   ir.v8  Tuples and lists are made from and taken apart into parts of their types.
///   ir.v9  `prim::GetAttr`, `prim::SetAttr` and `prim::CallMethod` name their target; an attribute
///          exists in the class and its type fits.
///   ir.v10 A block's result can stand where the node's output is read, by type.
struct Violation {
  std::string_view rule;
  std::string message;
  const Node* node;  ///< The node at fault; null for the graph's own block.
};

/// Every rule that the graph breaks, in program order.
std::vector<Violation> verify(const Graph& graph);

/// Internal error that lists the violations and names `when` ("after dce"), if there are any.
void ensure_valid(const Graph& graph, std::string_view when);

}  // namespace assay::ir
