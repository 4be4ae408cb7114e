#include "engine/ir/passes/fold_constants.h"

#include <algorithm>

#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/control_flow.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

using core::TypeKind;

/// The position that an index counts to, from the end if it is negative.
std::optional<size_t> position(int64_t index, size_t size) {
  if (index < 0) index += static_cast<int64_t>(size);
  bool inside = index >= 0 && static_cast<size_t>(index) < size;
  return inside ? std::optional(static_cast<size_t>(index)) : std::nullopt;
}

/// What a structural node makes of constants; nothing for other nodes.
std::optional<core::Values> restructured(const Node* node, const core::Values& arguments) {
  if (node->is(kinds().tuple)) {
    const core::TupleType* type = core::as_tuple(node->output()->type());
    core::TypePtr named = type->fields.empty() ? nullptr : node->output()->type();
    return core::Values{core::Value(base::make_ref<core::TupleObject>(arguments, named))};
  }
  if (node->is(kinds().tuple_unpack)) return arguments[0].tuple().items;
  if (node->is(kinds().tuple_index)) {
    const core::Values& items = arguments[0].tuple().items;
    auto at = position(arguments[1].to_int(), items.size());
    return at ? std::optional(core::Values{items[*at]}) : std::nullopt;
  }
  if (node->is(kinds().unchecked_cast)) {
    if (!core::is_instance(arguments[0], node->output()->type())) return std::nullopt;
    return arguments;
  }
  if (node->is("prim::EnumName")) return core::Values{arguments[0].enumeration().name};
  if (node->is("prim::EnumValue")) return core::Values{arguments[0].enumeration().value};
  return std::nullopt;
}

bool only_read(const Value* value) {
  return std::all_of(value->uses().begin(), value->uses().end(), only_reads);
}

bool is_immutable(const core::Value& value) {
  return value.is_none() || value.is_number() || value.is_string() || value.is_device();
}

/// Whether a value that is no constant can still be told from None by its type.
bool is_never_none(const Value* value) {
  switch (value->type()->kind()) {
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::complex:
    case TypeKind::boolean:
    case TypeKind::string:
    case TypeKind::device:
    case TypeKind::list:
    case TypeKind::tuple:
    case TypeKind::dict:
    case TypeKind::class_:
      return true;
    case TypeKind::tensor:  // An argument may be an undefined tensor.
      return value->node()->op() != nullptr;
    default:
      return false;
  }
}

class Folder {
 public:
  Folder(Graph& graph, const FoldRules& rules) : graph_(graph), rules_(rules) {}

  bool run() {
    block(graph_.block());
    return changed_;
  }

 private:
  void block(Block* block) {
    // Not a list made beforehand: nodes behind this one may move or vanish.
    for (Node* node = block->param_node()->next(); !node->is_sentinel();) {
      Node* before = node->prev();
      // What a branch leaves behind is looked at next.
      node = decide(node) ? before->next() : node->next();
    }
  }

  /// Folds the node and what it holds; true if it went.
  bool decide(Node* node) {
    bool gone =
        (node->is(kinds().if_) && take_branch(node)) || (node->is(kinds().loop) && skip_loop(node));
    changed_ = changed_ || gone;
    if (gone) return true;
    for (Block* inner : node->blocks()) block(inner);
    if (node->is(kinds().if_)) changed_ = drop_equal_outputs(node) || changed_;
    if (node->is(kinds().loop)) changed_ = drop_unchanged_variables(node) || changed_;
    if (node->blocks().empty()) fold(node);
    return false;
  }

  void fold(Node* node) {
    if (node->outputs().empty()) return;
    if (rules_.by_types && fold_by_types(node)) return;
    auto results = computed(node);
    if (!results || results->size() != node->outputs().size()) return;
    for (Value* output : node->outputs()) {
      const core::Value& result = (*results)[output->index()];
      // Sizes of a trace are integers without dimensions, which only lead to `aten::Int`.
      bool number = may_become_number(result) && core::is_floating(result.to_tensor().dtype());
      if (is_constant(result) && !number) replace(output, result);
    }
  }

  bool fold_by_types(Node* node) {
    if (!node->has_uses()) return true;
    if (read_through_tuple(node)) return changed_ = true;
    if (node->outputs().size() != 1) return false;
    if (Value* held = standing_in(node)) {
      replace(node->output(), held);
      return true;
    }
    auto value = decided(node);
    if (value) replace(node->output(), *value);
    return value.has_value();
  }

  void replace(Value* old, Value* now) {
    old->replace_all_uses(now);
    changed_ = true;
  }

  void replace(Value* old, const core::Value& now) {
    Node* constant = graph_.create_constant(now)->insert_before(old->node());
    if (now.is_none()) constant->output()->set_type(old->type());
    replace(old, constant->output());
  }

  /// The parts of a container that was made in sight and that nobody writes to.
  static const std::vector<Value*>* parts(const Value* container, base::Symbol kind) {
    const Node* maker = container->node();
    return maker->is(kind) && only_read(container) ? &maker->inputs() : nullptr;
  }

  static Value* item_at(const std::vector<Value*>& items, const Value* index) {
    auto held = constant_value(index);
    if (!held || !held->is_int()) return nullptr;
    auto at = position(held->to_int(), items.size());
    return at ? items[*at] : nullptr;
  }

  static Value* entry_at(const std::vector<Value*>& entries, const Value* key) {
    auto wanted = constant_value(key);
    if (!wanted || !is_immutable(*wanted)) return nullptr;
    Value* found = nullptr;
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      auto held = constant_value(entries[i]);
      if (!held) return nullptr;  // It might be the one.
      if (held->equals(*wanted)) found = entries[i + 1];
    }
    return found;
  }

  /// A value in the graph that is what the node gives.
  static Value* standing_in(const Node* node) {
    if (node->is(kinds().unchecked_cast)) {
      auto held = constant_value(node->input());
      const core::TypePtr& wanted = node->output()->type();
      bool same =
          held ? core::is_instance(*held, wanted) : core::is_subtype(node->input()->type(), wanted);
      return same ? node->input() : nullptr;
    }
    if (!node->is("aten::__getitem__")) return nullptr;
    if (const auto* items = parts(node->input(0), kinds().list)) {
      return item_at(*items, node->input(1));
    }
    const auto* entries = parts(node->input(0), kinds().dict);
    return entries ? entry_at(*entries, node->input(1)) : nullptr;
  }

  Rank rank_of(const Value* tensor) const {
    if (!shapes_) shapes_.emplace(graph_, rules_.inputs);
    return shapes_->rank(tensor);
  }

  std::optional<core::Value> decided(const Node* node) const {
    if (!node->op()) return std::nullopt;
    bool is = node->is("aten::__is__");
    if (is || node->is("aten::__isnot__")) return none_test(node, is);
    if (node->is("aten::dim")) {
      Rank rank = rank_of(node->input());
      return rank ? std::optional(core::Value(*rank)) : std::nullopt;
    }
    if (node->is("aten::len")) {
      if (auto length = length_of(node->input())) return core::Value(*length);
    }
    return std::nullopt;
  }

  static std::optional<core::Value> none_test(const Node* node, bool is) {
    const Value *one = node->input(ops::arg::self), *other = node->input(ops::arg::obj);
    auto left = constant_value(one), right = constant_value(other);
    bool none_left = left && left->is_none(), none_right = right && right->is_none();
    if (none_left && none_right) return core::Value(is);
    if (!none_left && !none_right) return std::nullopt;
    bool apart = none_left ? right || is_never_none(other) : left || is_never_none(one);
    return apart ? std::optional(core::Value(!is)) : std::nullopt;
  }

  std::optional<int64_t> length_of(const Value* list) const {
    if (const auto* items = parts(list, kinds().list)) {
      return static_cast<int64_t>(items->size());
    }
    const Node* maker = list->node();
    bool sizes = maker->op() && maker->op()->qualified_name == "aten::size" && only_read(list);
    return sizes ? rank_of(maker->input()) : Rank();
  }

  /// A constant, or a list of constants that was made in sight.
  static std::optional<core::Value> known(const Value* value) {
    if (auto held = constant_value(value)) return held;
    const auto* items = parts(value, kinds().list);
    if (!items) return std::nullopt;
    core::Values made;
    for (const Value* item : *items) {
      auto held = constant_value(item);
      if (!held || !is_immutable(*held)) return std::nullopt;
      made.push_back(std::move(*held));
    }
    return core::make_list(value->type()->element(), std::move(made));
  }

  /// A constant; by_types, also a list of constants that was made in sight.
  std::optional<core::Value> argument(const Value* value) const {
    auto held = rules_.by_types ? known(value) : constant_value(value);
    if (!held) return std::nullopt;
    bool fixed = !is_mutable_type(value->type());
    if (rules_.by_types && !fixed) {
      bool container = held->is_list() || held->is_dict();
      fixed = is_immutable(*held) || (container && only_read(value));
    }
    return fixed ? held : std::nullopt;
  }

  /// What a node without effects gives for constants, if that cannot change.
  std::optional<core::Values> computed(const Node* node) const {
    const ops::Operator* op = node->op();
    bool runs = op && !op->schema.vararg && !has_effects(node) && Alias::written_by(node).empty();
    bool fixed = std::none_of(node->outputs().begin(), node->outputs().end(),
                              [](const Value* v) { return is_mutable_type(v->type()); });
    if (node->is(kinds().constant) || !fixed || (op && !runs)) return std::nullopt;
    core::Values arguments;
    for (const Value* input : node->inputs()) {
      auto held = argument(input);
      if (!held) return std::nullopt;
      arguments.push_back(std::move(*held));
    }
    if (!op) return restructured(node, arguments);
    return rules_.evaluate ? rules_.evaluate(*op, arguments) : std::nullopt;
  }

  Graph& graph_;
  const FoldRules& rules_;
  mutable std::optional<Shapes> shapes_;  ///< Made for the first question.
  bool changed_ = false;
};

}  // namespace

bool read_through_tuple(Node* node) {
  bool unpacks = node->is(kinds().tuple_unpack), indexes = node->is(kinds().tuple_index);
  if ((!unpacks && !indexes) || !node->input(0)->node()->is(kinds().tuple)) return false;
  const std::vector<Value*>& parts = node->input(0)->node()->inputs();
  if (unpacks) {
    if (parts.size() != node->outputs().size()) return false;
    for (size_t i = 0; i < parts.size(); ++i) node->output(i)->replace_all_uses(parts[i]);
    return true;
  }
  auto index = constant_value(node->input(1));
  auto at = index && index->is_int() ? position(index->to_int(), parts.size()) : std::nullopt;
  if (at) node->output()->replace_all_uses(parts[*at]);
  return at.has_value();
}

bool fold_constants(Graph& graph, const FoldRules& rules) { return Folder(graph, rules).run(); }

}  // namespace assay::ir
