#include <unordered_set>

#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ops/builtin/register.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/computed.h"
#include "engine/script/detail/cleanup_steps.h"

// The steps of clean_up that compute or remove nodes: ir's passes by the rules of PyTorch's
// compiler.

namespace assay::script::detail {

using ir::Graph;
using ir::Node;

namespace {

void remove_dead_nodes(Graph& graph) {
  // Dead random numbers go, and values that a loop only hands to itself stay.
  ir::remove_dead_code(graph, {.has_effects = has_side_effects, .self_carried = false});
}

}  // namespace

std::optional<core::Values> evaluate(const ops::Operator& op, const core::Values& arguments) {
  static const auto kernels = [] {
    ops::KernelTable table;
    ops::builtin::register_kernels(table);
    return table;
  }();
  static const base::Symbol grad_mode("aten::is_grad_enabled"), scripting("aten::is_scripting");
  if (op.symbol == scripting) return core::Values{true};
  if (&op.rule() != &ops::infer::host_value || op.symbol == grad_mode) return std::nullopt;
  ops::Context context;
  context.kernels = &kernels;
  try {
    ops::Results results = ops::call(context, op, arguments);
    return core::Values(results.begin(), results.end());
  } catch (const base::Error&) {
    return std::nullopt;  // It raises when the program runs, if it gets there.
  }
}

bool has_side_effects(const Node* node) {
  static const std::unordered_set<base::Symbol> kinds{
      "prim::Print",         "prim::RaiseException",  "prim::SetAttr", "aten::warn",
      "aten::save",          "aten::manual_seed",     "prim::Enter",   "prim::Exit",
      "prim::CallMethod",    "prim::CallFunction",    "aten::wait",    "prim::AddStatValue",
      "prim::TimePoint",     "prim::ReturnStmt",      "prim::fork",    "aten::backward",
      "aten::_assert_async", "aten::set_grad_enabled"};
  return kinds.count(node->kind()) > 0;
}

void lower_simple_tuples(Graph& graph) {
  graph.for_each([](Node* node) { ir::read_through_tuple(node); });
  remove_dead_nodes(graph);
}

void fold_constants(Graph& graph) {
  if (ir::fold_constants(graph, {.evaluate = evaluate})) remove_dead_nodes(graph);
}

}  // namespace assay::script::detail
