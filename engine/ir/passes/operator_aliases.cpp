#include "engine/ir/passes/operator_aliases.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/graph.h"
#include "engine/ops/match.h"

namespace assay::ir {
namespace {

const std::unordered_map<base::Symbol, base::Symbol>& operator_aliases() {
  static const auto aliases = [] {
    std::unordered_map<base::Symbol, base::Symbol> all;
#define ALIAS(other, name) all.emplace("aten::" #other, "aten::" #name);
#define BOTH(other, name) \
  ALIAS(other, name)      \
  ALIAS(other##_, name##_)
#include "engine/ir/passes/operator_aliases.def"
#undef BOTH
#undef ALIAS
    return all;
  }();
  return aliases;
}

/// The overload of the name with the same arguments, keyword-only ones included.
const ops::Operator* same_arguments(const ops::Operator& op, base::Symbol name) {
  auto alike = [](const ops::Argument& one, const ops::Argument& other) {
    return one.name == other.name && core::same_type(one.type, other.type);
  };
  for (const ops::Operator* other : ops::overloads(name)) {
    if (std::ranges::equal(op.schema.arguments, other->schema.arguments, alike)) return other;
  }
  return nullptr;
}

}  // namespace

Node* rename_call(Node* node, base::Symbol name) {
  Node* fresh = node->graph().create(name, {}, size_t{0})->insert_before(node);
  std::vector<ops::Actual> types;
  for (Value* input : node->inputs()) {
    fresh->add_input(input);
    types.push_back({input->type()});
  }
  for (Value* output : node->outputs()) {
    Value* made = fresh->add_output(output->type());
    if (output->has_name()) made->set_name(output->name());
    output->replace_all_uses(made);
  }
  if (node->range()) fresh->set_range(node->range());
  const ops::Operator* same = node->op() ? same_arguments(*node->op(), name) : nullptr;
  fresh->set_op(same ? same : ops::resolve(name, types, node->range()).op);
  node->erase();
  return fresh;
}

void rename_alias(Node* node) {
  auto found = operator_aliases().find(node->kind());
  // Functions of numbers have their own names: degrees(1.0) stays.
  bool tensor = !node->outputs().empty() && node->output()->type()->is(core::TypeKind::tensor);
  if (found != operator_aliases().end() && tensor) rename_call(node, found->second);
}

void rename_aliases(Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) rename_aliases(inner);
    rename_alias(node);
  }
}

}  // namespace assay::ir
