#include "engine/ir/resolve.h"

#include "engine/ops/match.h"

namespace assay::ir {

namespace {

bool takes(const ops::Schema& schema, const std::vector<Value*>& inputs) {
  size_t declared = schema.arguments.size();
  if (inputs.size() != declared && !(schema.vararg && inputs.size() > declared)) return false;
  ops::TypeVariables variables;
  for (size_t i = 0; i < declared; ++i) {
    const core::TypePtr& formal = schema.arguments[i].type;
    const core::TypePtr& actual = inputs[i]->type();
    if (!ops::bind_type(formal, actual, variables)) return false;
    if (!core::is_subtype(actual, ops::substitute(formal, variables))) return false;
  }
  return true;
}

}  // namespace

const ops::Operator* find_overload(base::Symbol kind, const std::vector<Value*>& inputs) {
  for (const ops::Operator* candidate : ops::overloads(kind))
    if (takes(candidate->schema, inputs)) return candidate;
  return nullptr;
}

void resolve_operators(Graph& graph) {
  graph.for_each([](Node* node) {
    if (!node->op()) node->set_op(find_overload(node->kind(), node->inputs()));
  });
}

}  // namespace assay::ir
