#include "engine/optimize/recorded_form.h"

#include <algorithm>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/ops/dispatch.h"

namespace assay::optimize {
namespace {

using core::Tensor;
using core::Value;

/// The first calls choose algorithms and pack weights, which is not to be recorded.
constexpr int calls_before = 2;
/// Each keeps the memory of a run.
constexpr size_t max_takes = 4;

std::optional<core::Device> device_of(const core::Values& arguments) {
  std::optional<core::Device> device;
  for (const Value& v : arguments) {
    if (!v.is_tensor()) continue;
    Tensor t = v.to_tensor();
    if (!t || (device && t.device() != *device)) return std::nullopt;
    device = t.device();
  }
  return device;
}

bool alike(const Value& a, const Value& b) {
  if (a.is_tensor() != b.is_tensor()) return false;
  if (!a.is_tensor()) return a.same(b) || a.equals(b);
  const core::TensorImpl &x = *a.tensor_impl(), &y = *b.tensor_impl();
  return x.dtype == y.dtype && x.sizes == y.sizes && x.strides == y.strides &&
         x.storage->device() == y.storage->device() && x.wrapped_number == y.wrapped_number;
}

bool all_alike(const core::Values& a, const core::Values& b) {
  return std::ranges::equal(a, b, alike);
}

/// A tensor with memory of its own that lies as the given one does.
Tensor like(const Tensor& t) {
  return Tensor::empty_strided(t.sizes(), t.strides(), t.dtype(), t.device());
}

/// Visits the tensors of a result; false for what holds anything that a copy would not stand for.
template <typename Visit>
bool visit_tensors(const Value& value, const Visit& visit) {
  auto all = [&](const core::Values& items) {
    return std::ranges::all_of(items, [&](const Value& v) { return visit_tensors(v, visit); });
  };
  if (value.is_tensor()) return visit(value.to_tensor());
  if (value.is_tuple()) return all(value.tuple().items);
  if (value.is_list()) return all(value.list().items);
  return value.is_none() || value.is_number() || value.is_string();
}

/// Each tensor of the result is memory of the recording that no other one shares: an argument, a
/// weight or two views of one tensor are more than their elements.
bool is_own(const Value& result, const core::Recording& recording) {
  std::unordered_set<const core::Storage*> seen;
  return visit_tensors(result, [&](const Tensor& t) {
    return t && seen.insert(t.storage().get()).second && recording.owns(t.storage()->data());
  });
}

/// The result with tensors that stay when the recording is run again.
Value copied(ops::Context& context, const Value& value) {
  auto each = [&](const core::Values& items) {
    core::Values made;
    for (const Value& item : items) made.push_back(copied(context, item));
    return made;
  };
  if (value.is_tensor()) {
    Tensor from = value.to_tensor(), to = like(from);
    ops::call(context, "aten::copy_", {to, from});
    return to;
  }
  if (value.is_tuple()) return core::make_tuple(each(value.tuple().items));
  if (value.is_list()) return core::make_list(value.list().element, each(value.list().items));
  return value;
}

}  // namespace

bool RecordedForm::accepts(const ops::Context& context, const core::Values& arguments) {
  auto device = device_of(arguments);
  if (!device || device->type == core::DeviceType::cpu || !context.streams.empty()) return false;
  auto writable = [](const Value& v) {
    return !v.is_tensor() ||
           core::is_non_overlapping_and_dense(v.tensor_impl()->sizes, v.tensor_impl()->strides);
  };
  const core::DeviceBackend* backend = core::find_backend(device->type);
  return backend && backend->can_record() && std::ranges::all_of(arguments, writable);
}

RecordedForm::Take& RecordedForm::take_for(const core::Values& arguments) {
  for (auto& take : takes_) {
    if (all_alike(take->arguments, arguments)) return *take;
  }
  if (takes_.size() == max_takes) takes_.erase(takes_.begin());
  takes_.push_back(std::make_unique<Take>());
  Take& take = *takes_.back();
  for (const Value& v : arguments)
    take.arguments.push_back(v.is_tensor() ? Value(like(v.to_tensor())) : v);
  return take;
}

void RecordedForm::record(Take& take, const Run& run) {
  core::Device device = *device_of(take.arguments);
  core::DeviceBackend& backend = core::backend_of(device);
  bool whole = true;
  backend.begin_recording(device);
  try {
    take.result = run(take.arguments);
  } catch (const base::Error&) {  // The host has to wait, or the method raises: not here.
    whole = false;
  }
  take.recording = backend.end_recording(device);
  if (!whole || !take.recording || !is_own(take.result, *take.recording)) {
    take.result = Value();
    take.recording = nullptr;
    take.refused = true;
  }
}

Value RecordedForm::replay(ops::Context& context, Take& take, const core::Values& arguments) {
  core::Device device = *device_of(arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].is_tensor())
      ops::call(context, "aten::copy_", {take.arguments[i], arguments[i]});
  }
  take.recording->run({device});
  return copied(context, take.result);
}

Value RecordedForm::call(ops::Context& context, const core::Values& arguments, const Run& run) {
  Take& take = take_for(arguments);
  if (!take.recording && !take.refused && ++take.calls > calls_before) record(take, run);
  return take.recording ? replay(context, take, arguments) : run(arguments);
}

}  // namespace assay::optimize
