#include "engine/optimize/functional.h"

#include <algorithm>
#include <unordered_set>

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

/// Operators whose result is always a tensor of its own. (Many others give an argument back in some
/// cases, whatever their schema says.)
bool makes_fresh(const Node* node) {
  static const std::unordered_set<base::Symbol> kinds = {
      "aten::_convolution", "aten::conv1d",      "aten::conv2d",     "aten::conv3d",
      "aten::convolution",  "aten::batch_norm",  "aten::layer_norm", "aten::group_norm",
      "aten::linear",       "aten::addmm",       "aten::matmul",     "aten::bmm",
      "aten::add",          "aten::sub",         "aten::mul",        "aten::div",
      "aten::cat",          "aten::relu",        "aten::hardtanh",   "aten::relu6",
      "aten::max_pool2d",   "aten::avg_pool2d",  "aten::sigmoid",    "aten::tanh",
      "aten::silu",         "aten::hardswish",   "aten::clamp",      "aten::gelu",
      "aten::leaky_relu",   "aten::hardsigmoid", "aten::elu",        "aten::instance_norm"};
  return node->op() && kinds.count(node->kind()) != 0;
}

/// Whether the node only reads elements of its arguments: its outputs share nothing with them.
bool only_reads(const Node* node) {
  if (!node->op()) return false;
  const auto& schema = node->op()->schema;
  auto plain = [](const ops::Argument& a) { return !a.alias; };
  return makes_fresh(node) && std::all_of(schema.returns.begin(), schema.returns.end(), plain);
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
    if (!only_reads(use.user)) return false;
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
    if (maker->owner() != node->owner() || maker->is_sentinel() || !makes_fresh(maker)) return;
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
  for (const char* kind : {"aten::dropout", "aten::dropout_", "aten::feature_dropout"}) {
    for (Node* node : graph.find_all(kind)) {
      if (!node->op()) continue;
      auto on = constant_value(node->input(ops::arg::train));
      if (!on || !on->is_bool() || on->to_bool()) continue;
      node->output()->replace_all_uses(node->input(0));
      node->erase();
    }
  }
}

}  // namespace assay::optimize
