#include "engine/script/detail/scope.h"

#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/ir/unshaped.h"

namespace assay::script::detail {

bool is_telling_name(const std::string& name) {
  if (name.empty() || name[0] == '$') return false;
  if (name[0] != '_') return true;
  return std::any_of(name.begin() + 1, name.end(), [](char c) { return c < '0' || c > '9'; });
}

StaticValuePtr Scope::find(Emission& emission, const std::string& name) {
  for (Scope* scope = this; scope; scope = scope->outer.get()) {
    auto value = scope->values_.find(name);
    if (value != scope->values_.end()) return value->second;
    auto type = scope->types_.find(name);
    if (type == scope->types_.end()) continue;
    ir::Node* load = emission.graph.create(ir::kinds().load, {}, {type->second});
    load->set(ir::name_attribute(), name);
    emission.place(load, {});
    if (is_telling_name(name)) load->output()->set_name(name);
    return simple(load->output());
  }
  return nullptr;
}

ir::Value* Scope::fit_outer(Emission& emission, const SourceRange& range, const std::string& name,
                            const StaticValuePtr& given, const StaticValuePtr& before,
                            const TypePtr& annotated) {
  if (annotated) {
    base::fail_at(range, "the type of '", name,
                  "' is declared here, but the variable exists "
                  "already outside of this block");
  }
  ir::Value* value = as_simple(given);
  ir::Value* old = as_simple(before);
  if (!value || !old) {
    base::fail_at(range, "Cannot re-assign '", name, "' to a value of type ", given->kind(),
                  " inside a block: outside of it, it is ", before->kind());
  }
  TypePtr wanted = ir::unshaped(old->type());
  value = convert_to(emission, range, wanted, value, true);
  if (!core::is_subtype(value->type(), wanted)) {
    std::string hint = wanted->is(TypeKind::list) && value->type()->is(TypeKind::list)
                           ? " (an empty list is a List[Tensor] unless it is annotated)"
                           : "";
    base::fail_at(range, "Variable '", name, "' previously had type ", wanted->annotation(),
                  " and cannot be set to a value of type ", value->type()->annotation(), hint);
  }
  return value;
}

void Scope::set(Emission& emission, const SourceRange& range, const std::string& name,
                StaticValuePtr value, const TypePtr& annotated) {
  ir::Value* graph_value = as_simple(value);
  // A value from outside keeps its name: the variable is one of several that hold it.
  if (graph_value && !graph_value->has_name() && is_telling_name(name) &&
      graph_value->node()->owner() == block) {
    graph_value->set_name(name);
  }
  if (StaticValuePtr before = find_outside(emission, name)) {
    graph_value = fit_outer(emission, range, name, value, before, annotated);
  }
  if (!graph_value) {
    types_.erase(name);
    values_[name] = std::move(value);
    return;
  }
  if (annotated && !core::is_subtype(graph_value->type(), annotated)) {
    base::fail_at(range, "Variable '", name, "' is annotated with type ", annotated->annotation(),
                  " but set to a value of type ", graph_value->type()->annotation());
  }
  ir::Node* store = emission.graph.create(ir::kinds().store, {graph_value}, size_t{0});
  store->set(ir::name_attribute(), name);
  emission.place(store, range);
  values_.erase(name);
  types_[name] = annotated ? annotated : graph_value->type();
}

bool Scope::remove(const std::string& name) {
  bool removed = false;
  for (Scope* scope = this; scope; scope = scope->outer.get()) {
    bool value = scope->values_.erase(name) > 0;
    removed = scope->types_.erase(name) > 0 || value || removed;
  }
  return removed;
}

std::vector<std::string> Scope::stored() const {
  std::vector<std::string> names;
  for (const auto& [name, type] : types_) names.push_back(name);
  return names;
}

void Scope::explain_missing(const std::string& name, std::string reason) {
  Scope* root = this;
  while (root->outer) root = root->outer.get();
  root->missing_[name] = std::move(reason);
}

std::string Scope::why_missing(const std::string& name) const {
  const Scope* root = this;
  while (root->outer) root = root->outer.get();
  auto found = root->missing_.find(name);
  return found == root->missing_.end() ? "" : found->second;
}

}  // namespace assay::script::detail
