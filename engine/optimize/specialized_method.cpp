#include "engine/optimize/specialized_method.h"

#include <algorithm>
#include <exception>
#include <unordered_set>

#include "engine/core/backends.h"
#include "engine/ir/passes/inline.h"
#include "engine/ops/dispatch.h"
#include "engine/optimize/pipeline.h"

namespace assay::optimize {
namespace {

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

SpecializedMethod::SpecializedMethod(const core::ObjectRef& self, const ir::Function& method,
                                     ir::Unit& unit, ops::Context& context, const Ranks& ranks,
                                     bool check) {
  remember(self);
  // A form made of weights that may change unseen would have to be made for every call.
  if (std::any_of(slots_.begin(), slots_.end(),
                  [](const Slot& slot) { return slot.storage && slot.storage->exposed(); })) {
    return;
  }
  ir::Evaluate evaluate = [&](const ops::Operator& op,
                              const core::Values& values) -> std::optional<core::Values> {
    if (values.empty()) return std::nullopt;  // It asks for the state of the host.
    try {
      ops::Results results = ops::call(context, op, values);
      return core::Values(results.begin(), results.end());
    } catch (const std::exception&) {  // Also what a program would never have run.
      return std::nullopt;
    }
  };
  Ranks inputs{std::nullopt};  // Of self.
  inputs.insert(inputs.end(), ranks.begin(), ranks.end());
  auto graph = ir::inlined(method, unit);
  if (!run_passes(*graph, {self, inputs, evaluate}, check)) return;
  function_.emplace(method.qualified_name(), std::move(graph));
  function_->set_schema(method.schema());
}

void SpecializedMethod::remember(const core::ObjectRef& object) {
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

bool SpecializedMethod::is_current() const {
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

SpecializedMethod::Ranks SpecializedMethod::ranks_of(const core::Values& arguments) {
  Ranks ranks;
  for (const core::Value& v : arguments) {
    ranks.push_back(v.is_tensor() ? ir::Rank(v.to_tensor().dim()) : std::nullopt);
  }
  return ranks;
}

bool SpecializedMethod::accepts(const core::Values& arguments) {
  return std::all_of(arguments.begin(), arguments.end(), [](const core::Value& v) {
    if (!v.is_tensor()) return !v.is_list() && !v.is_tuple() && !v.is_dict() && !v.is_object();
    const core::TensorImpl& t = *v.tensor_impl();
    core::Device device = t.storage->device();
    bool known = device.type == core::DeviceType::cpu || core::backend_of(device).can_record();
    return known && core::is_contiguous(t.sizes, t.strides) &&
           !core::is_channels_last(t.sizes, t.strides);
  });
}

}  // namespace assay::optimize
