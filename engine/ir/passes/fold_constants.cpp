#include "engine/ir/passes/fold_constants.h"

#include <algorithm>

#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

using core::TypeKind;

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
  Folder(Graph& graph, std::span<const Rank> inputs, const Evaluate& evaluate)
      : graph_(graph), ranks_(graph, inputs), evaluate_(evaluate) {}

  bool run() {
    graph_.for_each([&](Node* node) {
      if (node->outputs().size() != 1 || !node->has_uses()) return unpack(node);
      if (Value* held = standing_in(node)) return replace(node->output(), held);
      if (auto value = decided(node)) {
        Node* constant = graph_.create_constant(*value)->insert_before(node);
        constant->set_range(node->range())->set_scope(node->scope());
        replace(node->output(), constant->output());
      }
    });
    return changed_;
  }

 private:
  void replace(Value* old, Value* now) {
    old->replace_all_uses(now);
    changed_ = true;
  }

  /// The parts of a container that was made in sight and that nobody writes to.
  static const std::vector<Value*>* parts(const Value* container, const char* kind) {
    const Node* maker = container->node();
    if (!maker->is(kind)) return nullptr;
    bool fixed = maker->is("prim::TupleConstruct") || only_read(container);
    return fixed ? &maker->inputs() : nullptr;
  }

  void unpack(Node* node) {
    if (!node->is("prim::TupleUnpack") || !node->has_uses()) return;
    const auto* items = parts(node->input(), "prim::TupleConstruct");
    if (!items || items->size() != node->outputs().size()) return;
    for (size_t i = 0; i < items->size(); ++i) replace(node->output(i), (*items)[i]);
  }

  static Value* item_at(const std::vector<Value*>& items, const Value* index) {
    auto held = constant_value(index);
    if (!held || !held->is_int()) return nullptr;
    int64_t at = held->to_int(), count = static_cast<int64_t>(items.size());
    if (at < 0) at += count;
    return at >= 0 && at < count ? items[static_cast<size_t>(at)] : nullptr;
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
    if (node->is("prim::unchecked_cast")) {
      auto held = constant_value(node->input());
      const core::TypePtr& wanted = node->output()->type();
      bool same =
          held ? core::is_instance(*held, wanted) : core::is_subtype(node->input()->type(), wanted);
      return same ? node->input() : nullptr;
    }
    if (node->is("prim::TupleIndex")) {
      const auto* items = parts(node->input(0), "prim::TupleConstruct");
      return items ? item_at(*items, node->input(1)) : nullptr;
    }
    if (!node->is("aten::__getitem__")) return nullptr;
    if (const auto* items = parts(node->input(0), "prim::ListConstruct")) {
      return item_at(*items, node->input(1));
    }
    const auto* entries = parts(node->input(0), "prim::DictConstruct");
    return entries ? entry_at(*entries, node->input(1)) : nullptr;
  }

  std::optional<core::Value> decided(const Node* node) const {
    if (!node->op()) return std::nullopt;
    bool is = node->is("aten::__is__");
    if (is || node->is("aten::__isnot__")) return none_test(node, is);
    if (node->is("aten::dim")) {
      Rank rank = ranks_.of(node->input());
      return rank ? std::optional(core::Value(*rank)) : std::nullopt;
    }
    if (node->is("aten::len")) {
      if (auto length = length_of(node->input())) return core::Value(*length);
    }
    return computed(node);
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
    if (const auto* items = parts(list, "prim::ListConstruct")) {
      return static_cast<int64_t>(items->size());
    }
    const Node* maker = list->node();
    bool sizes = maker->op() && maker->op()->qualified_name == "aten::size" && only_read(list);
    return sizes ? ranks_.of(maker->input()) : Rank();
  }

  /// A constant, or a list of constants that was made in sight.
  static std::optional<core::Value> known(const Value* value) {
    if (auto held = constant_value(value)) return held;
    const auto* items = parts(value, "prim::ListConstruct");
    if (!items) return std::nullopt;
    core::Values made;
    for (const Value* item : *items) {
      auto held = constant_value(item);
      if (!held || !is_immutable(*held)) return std::nullopt;
      made.push_back(std::move(*held));
    }
    return core::make_list(value->type()->element(), std::move(made));
  }

  /// What an operator without effects gives for constants, if that is one that cannot change.
  std::optional<core::Value> computed(const Node* node) const {
    bool pure = node->op()->numeric() == ops::Numeric::exact && !has_effects(node) &&
                Alias::written_by(node).empty() && node->op()->schema.returns.size() == 1;
    bool small = !node->output()->type()->is(TypeKind::tensor);
    if (!pure || !small || node->inputs().empty()) return std::nullopt;
    core::Values arguments;
    for (const Value* input : node->inputs()) {
      auto held = known(input);
      if (!held) return std::nullopt;
      bool fixed =
          is_immutable(*held) || ((held->is_list() || held->is_dict()) && only_read(input));
      if (!fixed) return std::nullopt;
      arguments.push_back(std::move(*held));
    }
    auto made = evaluate_(*node->op(), arguments);
    return made && is_immutable(*made) ? made : std::nullopt;
  }

  Graph& graph_;
  Ranks ranks_;
  const Evaluate& evaluate_;
  bool changed_ = false;
};

}  // namespace

bool fold_constants(Graph& graph, std::span<const Rank> inputs, const Evaluate& evaluate) {
  return Folder(graph, inputs, evaluate).run();
}

}  // namespace assay::ir
