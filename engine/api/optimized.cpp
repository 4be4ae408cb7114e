#include "engine/api/optimized.h"

#include <algorithm>
#include <exception>
#include <unordered_set>

#include "engine/ir/alias.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ir/passes/freeze.h"
#include "engine/ir/passes/functional.h"
#include "engine/ir/passes/fuse_convolution.h"
#include "engine/ir/passes/inline.h"
#include "engine/ir/passes/prune_branches.h"
#include "engine/ir/passes/renew_containers.h"
#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"

namespace assay::api {
namespace {

/// Each round decides what the last one laid open; programs need few.
constexpr int max_rounds = 8;

/// Kinds without an operator that do nothing but pass values on or decide.
bool is_structure(const ir::Node* node) {
  static const std::unordered_set<base::Symbol> kinds = {
      "prim::Constant",       "prim::GetAttr",        "prim::ListConstruct",
      "prim::TupleConstruct", "prim::DictConstruct",  "prim::ListUnpack",
      "prim::TupleUnpack",    "prim::TupleIndex",     "prim::If",
      "prim::Loop",           "prim::unchecked_cast", "prim::isinstance",
      "prim::TupleSlice",     "prim::Uninitialized",  "prim::RaiseException"};
  return kinds.count(node->kind()) != 0;
}

/// Whether running the graph twice is as good as running it once.
bool only_computes(const ir::Graph& graph) {
  bool pure = true;
  graph.for_each([&](const ir::Node* node) {
    if (is_structure(node)) return;
    pure = pure && node->op() && node->op()->numeric() != ops::Numeric::random &&
           !node->op()->schema.returns.empty() && ir::Alias::written_by(node).empty();
  });
  return pure;
}

/// Freezes attributes and leaves only the branches that the arguments' sizes or elements decide.
void specialize(ir::Graph& graph, const core::ObjectRef& self, ops::Context& context,
                const Optimized::Ranks& arguments) {
  auto evaluate = [&](const ops::Operator& op,
                      const core::Values& values) -> std::optional<core::Value> {
    try {
      return ops::call(context, op, values).at(0);
    } catch (const std::exception&) {  // Also what a program would never have run.
      return std::nullopt;
    }
  };
  Optimized::Ranks ranks{std::nullopt};  // Of self.
  ranks.insert(ranks.end(), arguments.begin(), arguments.end());
  bool changed = true;
  for (int round = 0; changed && round < max_rounds; ++round) {
    ir::make_functional(graph);  // Weights that nothing writes to can be frozen.
    ir::freeze(graph, self);
    changed = ir::fold_constants(graph, ranks, evaluate);
    changed = ir::prune_branches(graph) || changed;
    changed = ir::renew_containers(graph) || changed;
    ir::remove_dead_code(graph);
  }
  ir::remove_idle_dropout(graph);
}

/// A container and everything that it holds, at any depth, each container's parts once; nothing of
/// what is none.
core::Values collect(const core::Value& container) {
  core::Values items;
  if (container.is_list() || container.is_tuple() || container.is_dict()) items = {container};
  std::unordered_set<const void*> seen;
  for (size_t i = 0; i < items.size(); ++i) {
    core::Value value = items[i];
    auto add = [&](const core::Values& parts) {
      items.insert(items.end(), parts.begin(), parts.end());
    };
    if (value.is_list() && seen.insert(&value.list()).second) add(value.list().items);
    if (value.is_tuple() && seen.insert(&value.tuple()).second) add(value.tuple().items);
    if (!value.is_dict() || !seen.insert(&value.dict()).second) continue;
    for (const auto& entry : value.dict().entries()) {
      items.push_back(entry.key);
      items.push_back(entry.value);
    }
  }
  return items;
}

}  // namespace

Optimized::Optimized(const core::ObjectRef& self, const ir::Function& method, ir::Unit& unit,
                     ops::Context& context, const Ranks& ranks) {
  remember(self);
  auto graph = ir::inlined(method, unit);
  specialize(*graph, self, context, ranks);
  if (!only_computes(*graph)) return;
  ir::fuse_convolutions(*graph);
  ir::use_channels_last(*graph);
  ir::remove_dead_code(*graph);
  function_.emplace(method.qualified_name(), std::move(graph));
  function_->set_schema(method.schema());
}

void Optimized::remember(const core::ObjectRef& object) {
  if (!seen_.insert(object.get()).second) return;
  for (size_t i = 0; i < object->slots.size(); ++i) {
    const core::Value& held = object->slots[i];
    Slot slot{object, i, held, nullptr, 0, {}};
    if (held.is_tensor()) {
      slot.storage = held.tensor_impl()->storage;
      slot.version = slot.storage->version();
    }
    slot.items = collect(held);
    slots_.push_back(std::move(slot));
    if (held.is_object()) remember(held.ref<core::Object>());
  }
}

bool Optimized::is_current() const {
  auto alike = [](const core::Value& a, const core::Value& b) { return a.same(b) || a.equals(b); };
  return std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    const core::Value& now = slot.object->slots[slot.index];
    if (!now.same(slot.held)) return false;
    core::Values items = collect(now);
    bool same = items.size() == slot.items.size() &&
                std::equal(items.begin(), items.end(), slot.items.begin(), alike);
    if (!same || !slot.storage) return same;
    const core::TensorImpl& t = *now.tensor_impl();
    return t.storage == slot.storage && t.storage->version() == slot.version;
  });
}

Optimized::Ranks Optimized::ranks_of(const core::Values& arguments) {
  Ranks ranks;
  for (const core::Value& v : arguments) {
    ranks.push_back(v.is_tensor() ? ir::Rank(v.to_tensor().dim()) : std::nullopt);
  }
  return ranks;
}

bool Optimized::accepts(const core::Values& arguments) {
  return std::all_of(arguments.begin(), arguments.end(), [](const core::Value& v) {
    if (!v.is_tensor()) return !v.is_list() && !v.is_tuple() && !v.is_dict() && !v.is_object();
    const core::TensorImpl& t = *v.tensor_impl();
    return t.storage->device().type == core::DeviceType::cpu &&
           core::is_contiguous(t.sizes, t.strides) && !core::is_channels_last(t.sizes, t.strides);
  });
}

}  // namespace assay::api
