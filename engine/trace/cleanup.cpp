#include "engine/trace/cleanup.h"

#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ir/passes/operator_aliases.h"
#include "engine/ops/catalog.h"

namespace assay::trace {

namespace {

/// Random numbers that nobody takes are not drawn by PyTorch's traces either.
bool has_effects(const ir::Node* node) { return ir::effect_of(node) >= ops::Effect::raises; }

}  // namespace

void clean_up(ir::Graph& graph) {
  graph.for_each([](ir::Node* node) { ir::read_through_tuple(node); });
  ir::remove_dead_code(graph, {.has_effects = has_effects});
}

void normalize_names(ir::Graph& graph) {
  graph.for_each([](ir::Node* node) {
    if (!node->op() || node->op()->qualified_name != "aten::rsub.Tensor") {
      ir::rename_alias(node);
      return;
    }
    ir::Node* sub = ir::rename_call(node, "aten::sub");
    ir::Value* left = sub->input(0);
    sub->replace_input(0, sub->input(1));
    sub->replace_input(1, left);
  });
}

}  // namespace assay::trace
