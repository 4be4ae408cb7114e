#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ops/builtin/register.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/computed.h"
#include "engine/script/detail/cleanup_steps.h"
#include "engine/script/detail/kinds.h"
#include "engine/script/detail/schema_match.h"

// The steps of clean_up that compute or remove nodes.

namespace assay::script::detail {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

bool same_attribute(const ir::Attribute& a, const ir::Attribute& b) {
  if (a.index() != b.index()) return false;
  if (auto tensor = std::get_if<core::Tensor>(&a)) return tensor->same(std::get<core::Tensor>(b));
  if (auto value = std::get_if<core::Value>(&a)) {
    const auto& other = std::get<core::Value>(b);
    return value->tag() == other.tag() && value->equals(other);
  }
  if (auto real = std::get_if<double>(&a)) {
    double other = std::get<double>(b);
    return std::signbit(*real) == std::signbit(other) &&
           (*real == other || (std::isnan(*real) && std::isnan(other)));
  }
  if (auto integer = std::get_if<int64_t>(&a)) return *integer == std::get<int64_t>(b);
  if (auto text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (auto number = std::get_if<core::Complex128>(&a)) {
    return *number == std::get<core::Complex128>(b);
  }
  return false;
}

bool same_constant(const Node* a, const Node* b) {
  if (!core::same_type(a->output()->type(), b->output()->type())) return false;
  if (a->attributes().size() != b->attributes().size()) return false;
  for (const auto& [name, value] : a->attributes()) {
    const ir::Attribute* other = b->find_attribute(name);
    if (!other || !same_attribute(value, *other)) return false;
  }
  return true;
}

/// Equal for constants that same_constant finds the same; of containers only the kind counts.
size_t hash_of(const ir::Attribute& attribute) {
  if (auto integer = std::get_if<int64_t>(&attribute)) return std::hash<int64_t>()(*integer);
  if (auto real = std::get_if<double>(&attribute)) {
    return std::isnan(*real) ? 1 : std::hash<double>()(*real);
  }
  if (auto text = std::get_if<std::string>(&attribute)) return std::hash<std::string>()(*text);
  if (auto tensor = std::get_if<core::Tensor>(&attribute)) {
    return std::hash<const void*>()(tensor->impl());
  }
  return attribute.index();
}

size_t hash_of(const Node* constant) {
  size_t hash = static_cast<size_t>(constant->output()->type()->kind());
  for (const auto& [name, value] : constant->attributes()) hash = hash * 31 + hash_of(value);
  return hash;
}

/// Constants met so far, by hash.
using Pool = std::unordered_map<size_t, std::vector<Node*>>;

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph) {}

  bool run() {
    block(graph_.block());
    return changed_;
  }

 private:
  void block(Block* block) {
    // Not a list made beforehand: nodes behind this one may move or vanish.
    for (Node* node = *block->begin(); node != block->return_node();) {
      Node* next = node->next();
      visit(node);
      node = next;
    }
  }

  void visit(Node* node) {
    bool constant = std::all_of(node->inputs().begin(), node->inputs().end(),
                                [](Value* v) { return v->node()->is(kinds().constant); });
    if (node->is(kinds().if_)) {
      if (constant) return take_branch(node);
      for (Block* inner : node->blocks()) block(inner);
      drop_equal_outputs(node);
    } else if (node->is(kinds().loop)) {
      if (never_runs(node)) return drop_loop(node);
      block(node->block(0));
      drop_unchanged(node);
    } else if (constant && can_fold(node)) {
      fold(node);
    } else {
      for (Block* inner : node->blocks()) block(inner);
    }
  }

  void take_branch(Node* node) {
    Block* taken = node->block(ir::constant_value(node->input())->to_bool() ? 0 : 1);
    block(taken);
    for (Node* inner : taken->nodes()) inner->move_before(node);
    for (Value* output : node->outputs()) {
      output->replace_all_uses(taken->results()[output->index()]);
    }
    node->erase();
    changed_ = true;
  }

  void drop_equal_outputs(Node* node) {
    for (size_t i = 0; i < node->outputs().size();) {
      Value* a = node->block(0)->results()[i];
      Value* b = node->block(1)->results()[i];
      Value* common = nullptr;
      if (a == b) {
        common = a;
      } else if (ir::constant_value(a) && b->node()->is(kinds().constant) &&
                 same_constant(a->node(), b->node())) {
        common = graph_.create_constant(*ir::constant_value(a))->insert_before(node)->output();
      }
      if (!common) {
        ++i;
        continue;
      }
      node->output(i)->replace_all_uses(common);
      node->remove_output(i);
      for (Block* inner : node->blocks()) inner->remove_result(i);
      changed_ = true;
    }
  }

  static bool never_runs(const Node* node) {
    auto trips = ir::constant_value(node->input(0));
    auto start = ir::constant_value(node->input(1));
    return (trips && trips->to_int() <= 0) || (start && !start->to_bool());
  }

  void drop_loop(Node* node) {
    for (Value* output : node->outputs())
      output->replace_all_uses(node->input(output->index() + 2));
    node->erase();
    changed_ = true;
  }

  // A carried variable that no round changes is the value from before the loop.
  void drop_unchanged(Node* node) {
    Block* body = node->block(0);
    for (size_t i = node->outputs().size(); i-- > 0;) {
      if (body->params()[i + 1] != body->results()[i + 1]) continue;
      Value* before = node->input(i + 2);
      node->output(i)->replace_all_uses(before);
      body->params()[i + 1]->replace_all_uses(before);
      node->remove_output(i);
      node->remove_input(i + 2);
      body->remove_result(i + 1);
      body->remove_param(i + 1);
      changed_ = true;
    }
  }

  bool can_fold(const Node* node) const {
    if (node->is(kinds().constant) || node->is(kinds().uninitialized) ||
        node->is(kinds().closure) || node->is(kinds().empty_list) || !node->blocks().empty() ||
        has_side_effects(node)) {
      return false;
    }
    auto immutable = [](const std::vector<Value*>& values) {
      return std::none_of(values.begin(), values.end(),
                          [](const Value* v) { return ir::is_mutable_type(v->type()); });
    };
    return immutable(node->inputs()) && immutable(node->outputs());
  }

  std::optional<core::Values> compute(const Node* node, const core::Values& arguments) const {
    if (node->is(kinds().tuple)) {
      const core::TupleType* type = core::as_tuple(node->output()->type());
      TypePtr named = type->fields.empty() ? nullptr : node->output()->type();
      return core::Values{core::Value(base::make_ref<core::TupleObject>(arguments, named))};
    }
    if (node->is(kinds().tuple_unpack)) return arguments[0].tuple().items;
    if (node->is(kinds().tuple_index)) {
      const core::Values& items = arguments[0].tuple().items;
      int64_t size = static_cast<int64_t>(items.size()), at = arguments[1].to_int();
      at += at < 0 ? size : 0;
      if (at < 0 || at >= size) return std::nullopt;
      return core::Values{items[static_cast<size_t>(at)]};
    }
    if (node->is(kinds().unchecked_cast)) return arguments;
    if (node->is("prim::EnumName")) return core::Values{arguments[0].enumeration().name};
    if (node->is("prim::EnumValue")) return core::Values{arguments[0].enumeration().value};
    if (node->is("aten::is_scripting")) return core::Values{true};
    if (node->op() && node->op()->schema.vararg) return std::nullopt;
    return evaluate(*node, arguments);
  }

  void fold(Node* node) {
    core::Values arguments;
    for (const Value* input : node->inputs()) {
      auto value = ir::constant_value(input);
      if (!value) return;
      arguments.push_back(std::move(*value));
    }
    auto results = compute(node, arguments);
    if (!results || results->size() != node->outputs().size()) return;
    for (Value* output : node->outputs()) {
      const core::Value& result = (*results)[output->index()];
      if (!ir::is_constant(result)) continue;
      Node* constant = graph_.create_constant(result)->insert_before(node);
      if (result.is_none()) constant->output()->set_type(output->type());
      output->replace_all_uses(constant->output());
      changed_ = true;
    }
  }

  Graph& graph_;
  bool changed_ = false;
};

void lower_tuple(Node* node) {
  bool reads = node->is(kinds().tuple_unpack) || node->is(kinds().tuple_index);
  if (!reads || !node->input(0)->node()->is(kinds().tuple)) return;
  const Node* made = node->input(0)->node();
  if (node->is(kinds().tuple_unpack)) {
    for (Value* output : node->outputs()) output->replace_all_uses(made->input(output->index()));
    return;
  }
  auto index = ir::constant_value(node->input(1));
  if (!index) return;
  int64_t size = static_cast<int64_t>(made->inputs().size()), at = index->to_int();
  at += at < 0 ? size : 0;
  if (at >= 0 && at < size) node->output()->replace_all_uses(made->input(static_cast<size_t>(at)));
}

void lower_tuples(Block* block) {
  for (Node* node : *block) {
    lower_tuple(node);
    for (Block* inner : node->blocks()) lower_tuples(inner);
  }
}

void pool(Block* block, Pool& pooled) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) pool(inner, pooled);
    if (!node->is(kinds().constant)) continue;
    std::vector<Node*>& known = pooled[hash_of(node)];
    auto same = std::find_if(known.begin(), known.end(),
                             [&](const Node* other) { return same_constant(node, other); });
    if (same != known.end()) {
      node->output()->replace_all_uses((*same)->output());
      node->erase();
      continue;
    }
    known.push_back(node);
    Node* first = *block->graph().block()->begin();
    if (node != first) node->move_before(first);
  }
}

}  // namespace

std::optional<core::Values> evaluate(const Node& node, const core::Values& arguments) {
  static const auto kernels = [] {
    ops::KernelTable table;
    ops::builtin::register_kernels(table);
    return table;
  }();
  static const base::Symbol grad_mode("aten::is_grad_enabled");
  const ops::Operator* op = node.op();
  if (!op || &op->rule() != &ops::infer::host_value || node.is(grad_mode)) return std::nullopt;
  ops::Context context;
  context.kernels = &kernels;
  try {
    return ops::call(context, *op, arguments);
  } catch (const base::Error&) {
    return std::nullopt;  // It raises when the program runs, if it gets there.
  }
}

bool has_side_effects(const Node* node) {
  static const std::unordered_set<base::Symbol> kinds{
      "prim::Print",         "prim::RaiseException",  "prim::SetAttr", "aten::warn",
      "aten::save",          "aten::manual_seed",     "prim::Enter",   "prim::Exit",
      "prim::CallMethod",    "prim::CallFunction",    "aten::wait",    "prim::AddStatValue",
      "prim::TimePoint",     "prim::ReturnStmt",      "prim::fork",    "aten::backward",
      "aten::_assert_async", "aten::set_grad_enabled"};
  return kinds.count(node->kind()) > 0;
}

void lower_simple_tuples(Graph& graph) {
  lower_tuples(graph.block());
  remove_dead_code(graph);
}

void fold_constants(Graph& graph) {
  if (Folder(graph).run()) remove_dead_code(graph);
}

void pool_constants(Graph& graph) {
  Pool pooled;
  pool(graph.block(), pooled);
}

}  // namespace assay::script::detail
