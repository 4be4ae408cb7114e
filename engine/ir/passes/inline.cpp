#include "engine/ir/passes/inline.h"

#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"

namespace assay::ir {
namespace {

constexpr int deepest = 200;

/// The function that a call node calls, and the values it is given; null if that is not known yet.
Function* callee_of(const Node& node, Unit& unit, std::vector<Value*>& arguments) {
  arguments = node.inputs();
  if (node.is("prim::CallMethod")) {
    const core::ClassType* type = core::as_class(node.input(0)->type());
    return type ? unit.find_method(*type, node.get<std::string>("name")) : nullptr;
  }
  auto constant = constant_value(node.input(0));
  bool known = constant && constant->is_function() && constant->function().captured.empty() &&
               constant->function().self.is_none();
  if (!known) return nullptr;
  arguments.erase(arguments.begin());
  return unit.find_function(constant->function().qualified_name);
}

void inline_block(Block& block, Unit& unit, int depth) {
  base::check(depth < deepest, "calls are nested deeper than ", deepest, "; is there a recursion?");
  for (Node* node : block.nodes()) {
    for (Block* inner : node->blocks()) inline_block(*inner, unit, depth);
    if (!node->is("prim::CallMethod") && !node->is("prim::CallFunction")) continue;
    std::vector<Value*> arguments;
    Function* callee = callee_of(*node, unit, arguments);
    if (!callee) continue;
    auto body = callee->graph().copy();
    inline_block(*body->block(), unit, depth + 1);
    auto results = inline_graph(*body, node, arguments);
    for (size_t i = 0; i < results.size(); ++i) node->output(i)->replace_all_uses(results[i]);
    node->erase();
  }
}

}  // namespace

void inline_calls(Graph& graph, Unit& unit) { inline_block(*graph.block(), unit, 0); }

}  // namespace assay::ir
