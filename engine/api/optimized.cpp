#include "engine/api/optimized.h"

#include <algorithm>
#include <unordered_set>

#include "engine/ir/alias.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/freeze.h"
#include "engine/ir/passes/functional.h"
#include "engine/ir/passes/fuse_convolution.h"
#include "engine/ir/passes/inline.h"
#include "engine/ops/catalog.h"

namespace assay::api {
namespace {

constexpr int max_depth = 200;

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

}  // namespace

Optimized::Optimized(const core::ObjectRef& self, const ir::Function& method,
                     std::shared_ptr<ir::Graph> graph)
    : function_(method.qualified_name(), std::move(graph)) {
  function_.set_schema(method.schema());
  remember(self, 0);
}

void Optimized::remember(const core::ObjectRef& object, int depth) {
  if (depth > max_depth) return;
  for (size_t i = 0; i < object->slots.size(); ++i) {
    const core::Value& held = object->slots[i];
    Slot slot{object, i, held, nullptr, 0};
    if (held.is_tensor()) {
      slot.storage = held.tensor_impl()->storage;
      slot.version = slot.storage->version();
    }
    slots_.push_back(std::move(slot));
    if (held.is_object()) remember(held.ref<core::Object>(), depth + 1);
  }
}

bool Optimized::is_current() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
    const core::Value& now = slot.object->slots[slot.index];
    if (!now.same(slot.held)) return false;
    if (!slot.storage) return true;
    const core::TensorImpl& t = *now.tensor_impl();
    return t.storage == slot.storage && t.storage->version() == slot.version;
  });
}

bool Optimized::accepts(const core::Values& arguments) {
  return std::all_of(arguments.begin(), arguments.end(), [](const core::Value& v) {
    if (!v.is_tensor()) return !v.is_list() && !v.is_tuple() && !v.is_dict() && !v.is_object();
    const core::TensorImpl& t = *v.tensor_impl();
    return t.storage->device().type == core::DeviceType::cpu &&
           core::is_contiguous(t.sizes, t.strides) && !core::is_channels_last(t.sizes, t.strides);
  });
}

std::unique_ptr<Optimized> Optimized::make(const core::ObjectRef& self, const ir::Function& method,
                                           ir::Unit& unit) {
  auto graph = ir::inlined(method, unit);
  ir::make_functional(*graph);
  ir::freeze(*graph, self);
  ir::remove_idle_dropout(*graph);
  if (!only_computes(*graph)) return nullptr;
  ir::fuse_convolutions(*graph);
  ir::use_channels_last(*graph);
  ir::remove_dead_code(*graph);
  return std::unique_ptr<Optimized>(new Optimized(self, method, std::move(graph)));
}

}  // namespace assay::api
