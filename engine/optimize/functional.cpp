#include "engine/optimize/functional.h"

#include <algorithm>

#include "engine/ir/constant.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::optimize {

using ir::constant_value;
using ir::Graph;
using ir::Node;
using ir::Use;
using ir::Value;

namespace {

/// Whether the node only reads elements of its arguments: its outputs share nothing with them.
bool gives_fresh_tensors(const Node* node) {
  return node->op() && node->op()->gives_fresh_tensors();
}

/// Whether every other reader of the value is harmless: it comes later, or only reads elements.
bool is_private(const Value* value, const Node* writer) {
  for (const Use& use : value->uses()) {
    if (use.user == writer) {
      if (use.index != 0) return false;
      continue;
    }
    if (use.user->owner() != writer->owner()) return false;
    if (use.user->is_sentinel() || writer->is_before(use.user)) continue;
    if (!gives_fresh_tensors(use.user)) return false;
  }
  return true;
}

bool has_wrapped_argument(const ops::Operator& op) {
  return std::any_of(op.wrap.begin(), op.wrap.end(), [](bool w) { return w; });
}

}  // namespace

void make_functional(Graph& graph) {
  graph.for_each([&](Node* node) {
    const ops::Operator* op = node->op();
    if (!op || !op->is_inplace || has_wrapped_argument(*op)) return;
    Value* written = node->input(0);
    Node* maker = written->node();
    if (maker->owner() != node->owner() || maker->is_sentinel() || !gives_fresh_tensors(maker))
      return;
    if (op->functional->schema.arguments.size() != node->inputs().size()) return;
    if (!is_private(written, node)) return;
    Node* pure = graph.create(op->functional->symbol, node->inputs(), 1);
    pure->set_op(op->functional)->set_range(node->range())->set_scope(node->scope());
    pure->output()->set_type(node->output()->type());
    pure->insert_before(node);
    node->output()->replace_all_uses(pure->output());
    written->replace_uses_after(node, pure->output());
    node->erase();
  });
}

void remove_idle_dropout(Graph& graph) {
  graph.for_each([](Node* node) {
    const ops::Operator* op = node->op();
    bool drops = op && op->sharing() == ops::Sharing::may_be_argument && op->has(ops::arg::train);
    if (!drops) return;
    auto on = constant_value(node->input(ops::arg::train));
    if (!on || !on->is_bool() || on->to_bool()) return;
    node->output()->replace_all_uses(node->input(0));
    node->erase();
  });
}

}  // namespace assay::optimize
