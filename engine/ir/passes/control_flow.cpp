#include "engine/ir/passes/control_flow.h"

#include "engine/ir/constant.h"
#include "engine/ir/passes/pool_constants.h"

namespace assay::ir {
namespace {

/// Replaces the node's outputs by values that stand before it, and erases it.
void stand_in(Node* node, const std::vector<Value*>& values) {
  for (size_t i = 0; i < node->outputs().size(); ++i) {
    node->output(i)->replace_all_uses(values[i]);
  }
  node->erase();
}

/// What both branches give, as a value before the node; null if they differ.
Value* common_result(Node* branch, Value* one, Value* other) {
  if (one == other) return one;
  bool equal =
      constant_value(one) && constant_value(other) && same_constant(one->node(), other->node());
  if (!equal) return nullptr;
  Node* made = branch->graph().create_constant(*constant_value(one));
  return made->insert_before(branch)->output();
}

}  // namespace

bool take_branch(Node* branch) {
  auto condition = constant_value(branch->input());
  if (!condition || !condition->is_bool()) return false;
  Block* taken = branch->block(condition->to_bool() ? 0 : 1);
  for (Node* inner : taken->nodes()) inner->move_before(branch);
  stand_in(branch, std::vector<Value*>(taken->results()));
  return true;
}

bool skip_loop(Node* loop) {
  auto turns = constant_value(loop->input(0)), start = constant_value(loop->input(1));
  bool idle = (turns && turns->is_int() && turns->to_int() <= 0) ||
              (start && start->is_bool() && !start->to_bool());
  if (!idle) return false;
  stand_in(loop, {loop->inputs().begin() + 2, loop->inputs().end()});
  return true;
}

bool drop_equal_outputs(Node* branch) {
  bool changed = false;
  for (size_t i = 0; i < branch->outputs().size();) {
    Value* common =
        common_result(branch, branch->block(0)->results()[i], branch->block(1)->results()[i]);
    if (!common) {
      ++i;
      continue;
    }
    branch->output(i)->replace_all_uses(common);
    remove_output(branch, i);
    changed = true;
  }
  return changed;
}

bool drop_unchanged_variables(Node* loop) {
  Block* body = loop->block(0);
  bool changed = false;
  for (size_t i = loop->outputs().size(); i-- > 0;) {
    Value* inside = body->params()[i + 1];
    if (inside != body->results()[i + 1]) continue;
    Value* before = loop->input(i + 2);
    loop->output(i)->replace_all_uses(before);
    inside->replace_all_uses(before);
    remove_variable(loop, i);
    changed = true;
  }
  return changed;
}

void remove_variable(Node* loop, size_t i) {
  Block* body = loop->block(0);
  loop->remove_output(i);
  loop->remove_input(i + 2);
  body->remove_result(i + 1);
  body->remove_param(i + 1);
}

void remove_output(Node* branch, size_t i) {
  branch->remove_output(i);
  for (Block* block : branch->blocks()) block->remove_result(i);
}

}  // namespace assay::ir
