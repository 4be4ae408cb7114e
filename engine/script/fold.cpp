#include "engine/ir/alias.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ops/builtin/register.h"
#include "engine/ops/dispatch.h"
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
  static const base::Symbol scripting("aten::is_scripting");
  if (op.symbol == scripting) return core::Values{true};
  if (!op.is_host() || op.effect() != ops::Effect::none) return std::nullopt;
  ops::Context context;
  context.kernels = &kernels;
  try {
    ops::Results results = ops::call(context, op, arguments);
    return core::Values(results.begin(), results.end());
  } catch (const base::Error&) {
    return std::nullopt;  // It raises when the program runs, if it gets there.
  }
}

bool has_side_effects(const Node* node) { return ir::effect_of(node) >= ops::Effect::raises; }

void lower_simple_tuples(Graph& graph) {
  graph.for_each([](Node* node) { ir::read_through_tuple(node); });
  remove_dead_nodes(graph);
}

void fold_constants(Graph& graph) {
  if (ir::fold_constants(graph, {.evaluate = evaluate})) remove_dead_nodes(graph);
}

}  // namespace assay::script::detail
