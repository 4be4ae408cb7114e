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

namespace {

// How deep a signature's type holds what can be written to: 0 for what may be an element itself, 1
// for a list or dict of such. No value for types that say nothing about it.
std::optional<int> depth_of(const core::TypePtr& type) {
  if (!type) return std::nullopt;
  switch (type->kind()) {
    case TypeKind::tensor:
    case TypeKind::var:
      return 0;
    case TypeKind::optional:
      return depth_of(type->element());
    case TypeKind::list:
    case TypeKind::dict:
      return depth_of(type->contained().back()) == 0 ? std::optional<int>(1) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Whether an operator may write to what this argument holds: not to what `t[](a!)` does.
bool writes_held(const ops::Argument& argument) {
  bool plain = argument.type->is(TypeKind::tensor) || argument.alias->on_list;
  return !plain;
}

bool is_written_input(const Node* node, size_t i) {
  if (!is_mutable_type(node->input(i)->type())) return false;
  const ops::Operator* op = node->op();
  if (!op) return node->blocks().empty() && has_effects(node);
  const auto& arguments = op->schema.arguments;
  return i < arguments.size() && arguments[i].alias && arguments[i].alias->writes;
}

}  // namespace

Alias::Alias(const Graph& graph) {
  for (const Value* input : graph.inputs()) {
    if (is_mutable_type(input->type())) join(set_of(input), outside);
  }
  block(*graph.block());
  graph.for_each([this](const Node* node) {
    for (Set set : written_sets(node)) written_.push_back(set);
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
  if (node.is(kinds().constant) && is_mutable_type(node.output()->type()) &&
      !node.output()->type()->is(TypeKind::tensor)) {
    join(set_of(node.output()), outside);
  }
  if (!node.blocks().empty() || node.is(kinds().constant)) return;
  node.op() ? call(node) : structure(node);
}

void Alias::structure(const Node& node) {
  const Structure* structure = structure_of(node.kind());
  if (structure && structure->sharing == Sharing::apart) return;
  if (node.is(kinds().list) || node.is(kinds().tuple) || node.is(kinds().dict)) {
    for (const Value* input : node.inputs()) put_into(node.output(), input);
    return;
  }
  if (node.is(kinds().tuple_unpack) || node.is(kinds().tuple_index) ||
      node.is(kinds().list_unpack)) {
    for (const Value* output : node.outputs()) put_into(node.input(0), output);
    return;
  }
  bool plain = structure && structure->sharing == Sharing::inputs;
  const Value* whole = nullptr;
  for (const auto* list : {&node.inputs(), &node.outputs()}) {
    for (const Value* value : *list) {
      if (!is_mutable_type(value->type())) continue;
      if (!plain) join(set_of(value), outside);
      if (whole) join(value, whole);
      whole = value;
    }
  }
}

// An output shares with the inputs of its alias set; one of the wildcard set, a container, or a
// result that the row says so of, may be or hold any input or what that holds. As in PyTorch, the
// wildcard set is what lives outside.
void Alias::call(const Node& node) {
  const ops::Schema& schema = node.op()->schema;
  auto type_in = [&](const std::vector<ops::Argument>& from, size_t i) {
    return i < from.size() ? from[i].type : nullptr;
  };
  for (size_t o = 0; o < node.outputs().size(); ++o) {
    const Value* output = node.output(o);
    if (!is_mutable_type(output->type())) continue;
    const auto* annotated =
        o < schema.returns.size() && schema.returns[o].alias ? &*schema.returns[o].alias : nullptr;
    bool wildcard = annotated && (annotated->set == "*" || annotated->set_after == "*");
    bool holds = !output->type()->is(TypeKind::tensor) && !annotated;
    if (wildcard) join(set_of(output), outside);
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      const Value* input = node.input(i);
      if (!is_mutable_type(input->type())) continue;
      const auto* own = i < schema.arguments.size() && schema.arguments[i].alias
                            ? &*schema.arguments[i].alias
                            : nullptr;
      bool same =
          annotated && own && (own->set == annotated->set || own->set_after == annotated->set);
      if (!wildcard && !same && !holds && !node.op()->may_share_argument(i)) continue;
      relate(type_in(schema.returns, o), output, type_in(schema.arguments, i), input, same);
    }
  }
  // `a -> *`: the argument goes into another one, as with append.
  for (size_t i = 0; i < node.inputs().size() && i < schema.arguments.size(); ++i) {
    const auto& alias = schema.arguments[i].alias;
    if (!alias || alias->set_after != "*" || !is_mutable_type(node.input(i)->type())) continue;
    join(set_of(node.input(i)), outside);
    for (Value* written : written_by(&node)) put_into(written, node.input(i));
  }
}

// `same`: they are of one alias set.
void Alias::relate(const core::TypePtr& output_type, const Value* output,
                   const core::TypePtr& input_type, const Value* input, bool same) {
  auto out = depth_of(output_type), in = depth_of(input_type);
  if (!out || !in) return mix(output, input);
  if (*out < *in) return put_into(input, output);
  if (*out > *in) return put_into(output, input);
  if (*out == 0 || same) return join(output, input);
  join(contents_of(set_of(output)), contents_of(set_of(input)));
}

std::vector<Value*> Alias::written_by(const Node* node) {
  std::vector<Value*> written;
  for (size_t i = 0; i < node->inputs().size(); ++i) {
    if (is_written_input(node, i)) written.push_back(node->input(i));
  }
  return written;
}

// As `written_by`, in sets.
std::vector<Alias::Set> Alias::written_sets(const Node* node) const {
  std::vector<Set> sets;
  for (size_t i = 0; i < node->inputs().size(); ++i) {
    auto found = sets_.find(node->input(i));
    if (found == sets_.end() || !is_written_input(node, i)) continue;
    bool held = !node->op() || writes_held(node->op()->schema.arguments[i]);
    any_reached(find(found->second), [&](Set set) {
      sets.push_back(set);
      return !held;
    });
  }
  return sets;
}

bool Alias::may_share(const Value* a, const Value* b) const {
  if (a == b) return true;
  auto found = sets_.find(a);
  if (found == sets_.end()) return false;
  return any_reached(find(found->second), [&](Set set) { return reaches(b, {set}); });
}

bool Alias::may_escape(const Value* value) const { return reaches(value, {find(outside)}); }

bool Alias::writes_to(const Node* node, const std::unordered_set<const Value*>& values) const {
  for (const Value* written : written_by(node)) {
    if (values.count(written) != 0) return true;
  }
  std::vector<Set> sets = written_sets(node);
  return !sets.empty() && std::any_of(values.begin(), values.end(),
                                      [&](const Value* value) { return reaches(value, sets); });
}

bool Alias::writes_outside(const Node* node) const {
  std::vector<Set> sets = written_sets(node);
  return std::find(sets.begin(), sets.end(), find(outside)) != sets.end();
}

bool Alias::is_written(const Value* value) const {
  auto found = sets_.find(value);
  if (found == sets_.end()) {
    return std::any_of(value->uses().begin(), value->uses().end(),
                       [](const Use& use) { return is_written_input(use.user, use.index); });
  }
  return any_reached(find(found->second), [&](Set set) {
    return std::any_of(written_.begin(), written_.end(), [&](Set s) { return find(s) == set; });
  });
}

void Alias::join(const Value* a, const Value* b) {
  if (is_mutable_type(a->type()) && is_mutable_type(b->type())) join(set_of(a), set_of(b));
}

// What joined sets hold is joined, too.
void Alias::join(Set a, Set b) {
  a = find(a);
  b = find(b);
  while (a != b) {
    // The lower number stands for both, so that `outside` always stands for itself.
    Set kept = std::min(a, b), gone = std::max(a, b);
    Set held = contents_[gone];
    parents_[gone] = kept;
    if (held == nothing) return;
    if (contents_[kept] == nothing) contents_[kept] = held;
    a = find(held);
    b = find(contents_[kept]);
  }
}

void Alias::put_into(const Value* container, const Value* value) {
  if (!is_mutable_type(container->type()) || !is_mutable_type(value->type())) return;
  join(contents_of(set_of(container)), set_of(value));
}

// One may be the other, or hold it, or what it holds.
void Alias::mix(const Value* a, const Value* b) {
  join(a, b);
  put_into(a, a);
}

Alias::Set Alias::set_of(const Value* value) {
  auto [place, is_new] = sets_.try_emplace(value, parents_.size());
  if (is_new) {
    parents_.push_back(parents_.size());
    contents_.push_back(nothing);
  }
  return find(place->second);
}

Alias::Set Alias::contents_of(Set set) {
  set = find(set);
  if (contents_[set] == nothing) {
    contents_[set] = parents_.size();
    parents_.push_back(parents_.size());
    contents_.push_back(nothing);
  }
  return find(contents_[set]);
}

Alias::Set Alias::find(Set set) const {
  while (parents_[set] != set) set = parents_[set] = parents_[parents_[set]];
  return set;
}

// Visits the set, what it holds, and so on, until `visit` gives true.
template <typename Visit>
bool Alias::any_reached(Set set, const Visit& visit) const {
  // What holds itself ends where `behind` is met, which goes half as fast.
  Set behind = set;
  for (size_t step = 1;; ++step) {
    if (visit(set)) return true;
    if (contents_[set] == nothing) return false;
    set = find(contents_[set]);
    if (set == behind) return false;
    if (step % 2 == 0) behind = find(contents_[behind]);
  }
}

// Whether the value's set or one that it holds is among these.
bool Alias::reaches(const Value* value, const std::vector<Set>& sets) const {
  auto found = sets_.find(value);
  return found != sets_.end() && any_reached(find(found->second), [&](Set set) {
           return std::find(sets.begin(), sets.end(), set) != sets.end();
         });
}

}  // namespace assay::ir
