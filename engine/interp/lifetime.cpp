#include "engine/interp/lifetime.h"

namespace assay::interp {

namespace {

// The node of `block` that is `node` or holds it.
const ir::Node* node_in(const ir::Block& block, const ir::Node* node) {
  while (node->owner() != &block) node = node->owner()->owner();
  return node;
}

}  // namespace

void Lifetime::add(const ir::Block& block) {
  auto add_value = [&](const ir::Value* value) {
    End end;
    for (const ir::Use& use : value->uses()) {
      const ir::Node* reader = node_in(block, use.user);
      bool nested = reader != use.user;
      if (reader == end.node)
        end.nested = end.nested || nested;
      else if (!end.node || end.node->is_before(reader))
        end = {reader, nested};
    }
    if (!end.node) return;
    ends_[value] = end;
    ending_[end.node].push_back(value);
  };
  for (const ir::Value* param : block.params()) add_value(param);
  for (const ir::Node* node : block)
    for (const ir::Value* output : node->outputs()) add_value(output);
}

bool Lifetime::ends_at(const ir::Value* value, const ir::Node* node) const {
  auto found = ends_.find(value);
  return found != ends_.end() && found->second.node == node && !found->second.nested;
}

const std::vector<const ir::Value*>& Lifetime::ending(const ir::Node* node) const {
  static const std::vector<const ir::Value*> none;
  auto found = ending_.find(node);
  return found == ending_.end() ? none : found->second;
}

bool Lifetime::ends_by(const ir::Value* value, const ir::Node* node) const {
  auto found = ends_.find(value);
  if (found == ends_.end()) return true;
  return found->second.node == node || found->second.node->is_before(node);
}

bool is_counted(const core::TypePtr& type) {
  switch (type->kind()) {
    case core::TypeKind::integer:
    case core::TypeKind::floating:
    case core::TypeKind::boolean:
    case core::TypeKind::none:
    case core::TypeKind::device:
      return false;
    default:
      return true;
  }
}

}  // namespace assay::interp
