#include "engine/ir/alias.h"

#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

using core::TypeKind;

bool is_mutable_type(const core::TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::complex:
    case TypeKind::number:
    case TypeKind::boolean:
    case TypeKind::string:
    case TypeKind::none:
    case TypeKind::device:
    case TypeKind::function:
    case TypeKind::enumeration:
    case TypeKind::any_enum:
      return false;
    case TypeKind::tuple:
    case TypeKind::optional:
    case TypeKind::union_:
      return std::any_of(type->contained().begin(), type->contained().end(), is_mutable_type);
    default:
      return true;
  }
}

bool only_reads(const Use& use) {
  const ops::Operator* op = use.user->op();
  if (!op || use.index >= op->schema.arguments.size()) return false;
  const auto& alias = op->schema.arguments[use.index].alias;
  if (alias && alias->writes) return false;
  const auto& outputs = use.user->outputs();
  return std::none_of(outputs.begin(), outputs.end(), [](const Value* output) {
    return !output->type()->is(TypeKind::tensor) && is_mutable_type(output->type());
  });
}

namespace {

/// Of an operator whose overload is not resolved: what any of them may do.
ops::Effect effect_of_kind(const Node* node) {
  if (node->op()) return node->op()->effect();
  if (const Structure* structure = structure_of(node->kind())) return structure->effect;
  const auto& overloads = ops::overloads(node->kind());
  ops::Effect effect = overloads.empty() ? ops::Effect::acts : ops::Effect::none;
  for (const ops::Operator* op : overloads) {
    effect = std::max(effect, op->schema.is_mutable() ? ops::Effect::acts : op->effect());
  }
  return effect;
}

}  // namespace

ops::Effect effect_of(const Node* node) {
  ops::Effect effect = effect_of_kind(node);
  for (const Block* block : node->blocks()) {
    for (const Node* inner : *block) effect = std::max(effect, effect_of(inner));
  }
  return effect;
}

bool is_random(const Node* node) {
  if (node->op()) return node->op()->numeric() == ops::Numeric::random;
  return std::any_of(node->blocks().begin(), node->blocks().end(), [](const Block* block) {
    return std::any_of(block->begin(), block->end(), is_random);
  });
}

bool runs_other_code(const Graph& graph) {
  return std::any_of(graph.block()->begin(), graph.block()->end(),
                     [](const Node* node) { return effect_of(node) == ops::Effect::calls; });
}

bool has_effects(const Node* node) {
  return effect_of(node) >= ops::Effect::raises || is_random(node);
}

Alias::Alias(const Graph& graph) {
  for (const Value* input : graph.inputs()) join(input, outside);
  block(*graph.block());
  graph.for_each([this](const Node* node) {
    for (const Value* value : written_by(node)) written_.push_back(set_of(value));
  });
}

void Alias::block(const Block& block) {
  for (const Node* inner : block) node(*inner);
}

void Alias::node(const Node& node) {
  for (size_t i = 0; i < node.blocks().size(); ++i) {
    const Block& inner = *node.block(i);
    bool loop = node.is(kinds().loop);
    block(inner);
    for (size_t k = loop ? 1 : 0; k < inner.results().size(); ++k) {
      size_t output = loop ? k - 1 : k;
      if (output >= node.outputs().size()) continue;
      join(inner.results()[k], node.output(output));
      if (!loop) continue;
      join(inner.params()[k], node.output(output));
      join(node.input(k + 1), node.output(output));
    }
  }
  // An object in a constant is shared with whoever made the graph.
  if (node.is(kinds().constant) && !node.output()->type()->is(TypeKind::tensor))
    join(node.output(), outside);
  if (!node.blocks().empty() || node.is(kinds().constant)) return;
  if (node.op()) return call(node);
  const Structure* structure = structure_of(node.kind());
  if (structure && structure->sharing == Sharing::apart) return;
  bool plain = structure && structure->sharing == Sharing::inputs;
  const Value* whole = nullptr;
  for (const auto* list : {&node.inputs(), &node.outputs()}) {
    for (const Value* value : *list) {
      if (!is_mutable_type(value->type())) continue;
      if (!plain) join(value, outside);
      if (whole) join(value, whole);
      whole = value;
    }
  }
}

// An output shares with the inputs of its alias set; one of the wildcard set, a container, or a
// result that the row says so of, may hold any input.
void Alias::call(const Node& node) {
  const ops::Schema& schema = node.op()->schema;
  for (size_t o = 0; o < node.outputs().size(); ++o) {
    const Value* output = node.output(o);
    if (!is_mutable_type(output->type())) continue;
    const auto* annotated =
        o < schema.returns.size() && schema.returns[o].alias ? &*schema.returns[o].alias : nullptr;
    bool holds = (!output->type()->is(TypeKind::tensor) && !annotated) ||
                 node.op()->sharing() == ops::Sharing::may_share;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Value* input = node.input(i);
      if (!is_mutable_type(input->type())) continue;
      const auto* own = i < schema.arguments.size() && schema.arguments[i].alias
                            ? &*schema.arguments[i].alias
                            : nullptr;
      bool wildcard = annotated && (annotated->set == "*" || annotated->set_after == "*");
      bool same =
          annotated && own && (own->set == annotated->set || own->set_after == annotated->set);
      if (wildcard || same || holds) join(output, input);
    }
  }
  // `a -> *`: the argument goes into another one, as with append.
  for (size_t i = 0; i < node.inputs().size() && i < schema.arguments.size(); ++i) {
    const auto& alias = schema.arguments[i].alias;
    if (!alias || alias->set_after != "*" || !is_mutable_type(node.input(i)->type())) continue;
    for (Value* written : written_by(&node)) join(node.input(i), written);
  }
}

std::vector<Value*> Alias::written_by(const Node* node) {
  std::vector<Value*> written;
  const ops::Operator* op = node->op();
  bool unknown = !op && node->blocks().empty() && has_effects(node);
  for (size_t i = 0; i < node->inputs().size(); ++i) {
    Value* input = node->input(i);
    if (!is_mutable_type(input->type())) continue;
    bool writes = op && i < op->schema.arguments.size() && op->schema.arguments[i].alias &&
                  op->schema.arguments[i].alias->writes;
    if (writes || unknown) written.push_back(input);
  }
  return written;
}

bool Alias::may_share(const Value* a, const Value* b) const {
  if (a == b) return true;
  auto left = known(a);
  auto right = known(b);
  return left && right && *left == *right;
}

bool Alias::may_escape(const Value* value) const {
  auto set = known(value);
  return set && *set == find(outside);
}

bool Alias::is_written(const Value* value) const {
  auto set = known(value);
  if (!set)
    return std::any_of(value->uses().begin(), value->uses().end(), [&](const Use& use) {
      auto written = written_by(use.user);
      return std::find(written.begin(), written.end(), value) != written.end();
    });
  return std::any_of(written_.begin(), written_.end(), [&](Set s) { return find(s) == *set; });
}

void Alias::join(const Value* a, const Value* b) {
  if (is_mutable_type(a->type()) && is_mutable_type(b->type())) join(a, set_of(b));
}

void Alias::join(const Value* value, Set set) {
  if (!is_mutable_type(value->type())) return;
  Set own = find(set_of(value));
  Set other = find(set);
  // The lower number stands for both, so that `outside` always stands for itself.
  parents_[std::max(own, other)] = std::min(own, other);
}

Alias::Set Alias::set_of(const Value* value) {
  auto [place, is_new] = sets_.try_emplace(value, parents_.size());
  if (is_new) parents_.push_back(parents_.size());
  return find(place->second);
}

Alias::Set Alias::find(Set set) const {
  while (parents_[set] != set) set = parents_[set] = parents_[parents_[set]];
  return set;
}

std::optional<Alias::Set> Alias::known(const Value* value) const {
  auto found = sets_.find(value);
  if (found == sets_.end()) return std::nullopt;
  return find(found->second);
}

}  // namespace assay::ir
