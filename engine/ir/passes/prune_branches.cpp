#include "engine/ir/passes/prune_branches.h"

#include "engine/ir/constant.h"

namespace assay::ir {
namespace {

/// Replaces the node's outputs by values that stand before it, and erases it.
void stand_in(Node* node, const std::vector<Value*>& values) {
  for (size_t i = 0; i < node->outputs().size(); ++i) {
    node->output(i)->replace_all_uses(values[i]);
  }
  node->erase();
}

bool prune_if(Node* node) {
  auto condition = constant_value(node->input());
  if (!condition || !condition->is_bool()) return false;
  Block* taken = node->block(condition->to_bool() ? 0 : 1);
  for (Node* inner : taken->nodes()) inner->move_before(node);
  stand_in(node, std::vector<Value*>(taken->results()));
  return true;
}

bool prune_loop(Node* node) {
  auto turns = constant_value(node->input(0)), start = constant_value(node->input(1));
  bool idle = (turns && turns->is_int() && turns->to_int() <= 0) ||
              (start && start->is_bool() && !start->to_bool());
  if (!idle) return false;
  stand_in(node, {node->inputs().begin() + 2, node->inputs().end()});
  return true;
}

bool prune_block(Block& block) {
  bool changed = false;
  for (Node* node = block.param_node()->next(); !node->is_sentinel();) {
    // What a branch leaves behind is looked at next.
    Node* before = node->prev();
    bool gone =
        (node->is("prim::If") && prune_if(node)) || (node->is("prim::Loop") && prune_loop(node));
    changed = changed || gone;
    if (gone) {
      node = before->next();
      continue;
    }
    for (Block* inner : node->blocks()) changed = prune_block(*inner) || changed;
    node = node->next();
  }
  return changed;
}

}  // namespace

bool prune_branches(Graph& graph) { return prune_block(*graph.block()); }

}  // namespace assay::ir
