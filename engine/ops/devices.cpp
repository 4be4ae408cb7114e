#include "engine/ops/devices.h"

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

using core::Device;
using core::DeviceType;
using core::TensorImpl;
using core::Value;

namespace {

Device device_of(const TensorImpl& tensor) { return tensor.storage->device(); }
Device device_of(const Value& tensor) { return device_of(*tensor.tensor_impl()); }

bool is_on_cpu(Device device) { return device.type == DeviceType::cpu; }

/// Whether the tensor goes along with any device although all should be on the same. What lies on
/// another device never does, also if it stands for a number: no kernel could read it.
bool follows(const TensorImpl& tensor, Devices policy) {
  if (!is_on_cpu(device_of(tensor))) return false;
  return tensor.wrapped_number || (policy != Devices::same_device && tensor.sizes.empty());
}

/// The device of all tensors, if it is one and no lists are among the arguments: most calls.
std::optional<Device> one_device(std::span<const Value> args) {
  const Value* first = nullptr;
  for (const Value& v : args) {
    if (v.is_list()) return std::nullopt;
    if (!v.is_tensor()) continue;
    if (first && device_of(v) != device_of(*first)) return std::nullopt;
    if (!first) first = &v;
  }
  return first ? device_of(*first) : Device{};
}

/// The device of the first argument, with which the others must go.
Device device_of_first(std::span<const Value> args) {
  Device device = device_of(args[0]);
  for (const Value& v : args.subspan(1)) {
    if (v.is_tensor() && device_of(v) != device &&
        !follows(*v.tensor_impl(), Devices::scalars_follow)) {
      fail_on_two_devices(device, device_of(v));
    }
    if (!v.is_list()) continue;
    for (const Value& index : v.list().items) {
      bool fits = !index.is_tensor() || is_on_cpu(device_of(index)) || device_of(index) == device;
      base::check(fits, "indices should be either on cpu or on the same device as the indexed ",
                  "tensor (", device.text(), ")");
    }
  }
  return device;
}

/// The device of all tensors, but of those that follow.
Device device_of_all(std::span<const Value> args, Devices policy) {
  std::optional<Device> found;
  bool only_followers = true;
  core::for_each_tensor(args, [&](const TensorImpl& tensor) {
    Device device = device_of(tensor);
    bool follower = follows(tensor, policy);
    if (!found || (only_followers && !follower)) {
      found = device;
      only_followers = follower;
    } else if (!follower && device != *found && policy != Devices::any_device) {
      fail_on_two_devices(*found, device);
    }
  });
  return found.value_or(Device{});
}

/// Where the counts of packed sequences stand among the arguments.
size_t position_of_counts(const Operator& op) {
  auto sizes = op.schema.find_argument("batch_sizes");
  return sizes ? *sizes : op.position(arg::lengths);
}

/// The device of all tensors but the counts, which kernels read as the host does.
Device device_beside_counts(const Operator& op, std::span<const Value> args) {
  size_t at = position_of_counts(op);
  base::check(!args[at].is_tensor() || is_on_cpu(device_of(args[at])), op.qualified_name, ": '",
              op.schema.arguments[at].name, "' should be on the CPU, but is on ",
              device_of(args[at]).text());
  core::Values others(args.begin(), args.end());
  others[at] = Value();
  return device_of_all(others, Devices::same_device);
}

}  // namespace

void fail_on_two_devices(Device one, Device other) {
  base::fail("Expected all tensors to be on the same device, but found at least two devices, ",
             one.text(), " and ", other.text(), "!");
}

void check_none_on_meta(std::span<const Value> args, Device device) {
  core::for_each_tensor(args, [&](const TensorImpl& tensor) {
    Device other = device_of(tensor);
    if (other.type == DeviceType::meta) fail_on_two_devices(device, other);
  });
}

Device common_device(const Operator& op, std::span<const Value> args) {
  Devices policy = op.devices();
  if (policy == Devices::no_device) return {};
  if (policy == Devices::counts_on_cpu) return device_beside_counts(op, args);
  if (auto device = one_device(args)) return *device;
  bool indexes = policy == Devices::indices_follow && !args.empty() && args[0].is_tensor();
  if (indexes) return device_of_first(args);
  return device_of_all(args, policy);
}

std::optional<core::Values> with_indices_on(Context& context, const Operator& op,
                                            std::span<const Value> args, Device device) {
  if (op.devices() != Devices::indices_follow || device.type == DeviceType::cpu) return {};
  std::optional<core::Values> moved;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].is_list()) continue;
    const core::ListObject& indices = args[i].list();
    core::Values there = indices.items;
    bool any = false;
    for (Value& index : there) {
      if (!index.is_tensor() || device_of(index) == device) continue;
      Value dtype(int64_t(index.to_tensor().dtype()));
      index = call(context, "aten::to.device", {index, Value(device), dtype});
      any = true;
    }
    if (!any) continue;
    if (!moved) moved.emplace(args.begin(), args.end());
    (*moved)[i] = core::make_list(indices.element, std::move(there));
  }
  return moved;
}

}  // namespace assay::ops
