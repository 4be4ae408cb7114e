#pragma once

#include <unordered_map>
#include <vector>

#include "engine/ir/graph.h"

namespace assay::ir {

/// Which value of one graph stands for which of another, while copying.
using ValueMap = std::unordered_map<const Value*, Value*>;

/// Copies the nodes of `from` behind what `to` holds, results included. `map` says what stands for
/// values from outside and is filled with every copied value; values absent from it that lie
/// outside `from` stay as they are (allowed only inside one graph).
void copy_block(const Block& from, Block& to, ValueMap& map);
/// A copy of the node and its blocks, in no block. Inputs are mapped as in copy_block.
Node* copy_node(const Node& from, Graph& to, ValueMap& map);
/// Copies the body of `callee` before `before`, reading `arguments` for its inputs. Gives back the
/// values that stand for its outputs.
std::vector<Value*> inline_graph(const Graph& callee, Node* before,
                                 const std::vector<Value*>& arguments);
/// The same graph comes of it, but the nodes are moved: `callee` has none left.
std::vector<Value*> inline_moving(Graph& callee, Node* before,
                                  const std::vector<Value*>& arguments);

}  // namespace assay::ir
