#include "verify/properties/device_portable.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/properties/judging.h"

namespace assay::verify {

using core::Device;
using core::Tensor;
using core::Value;

namespace {

/// Copies a value tree to a device, each storage once.
class Relocation {
 public:
  explicit Relocation(Device device) : device_(device) {}

  Value operator()(const Value& value) {
    switch (value.tag()) {
      case Value::Tag::tensor:
        return tensor(value.to_tensor());
      case Value::Tag::list:
        return core::make_list(value.list().element, items(value.list().items));
      case Value::Tag::tuple:
        return base::make_ref<core::TupleObject>(items(value.tuple().items), value.tuple().named);
      case Value::Tag::dict: {
        auto copy = core::make_dict(value.dict().key, value.dict().value);
        for (const auto& e : value.dict().entries()) copy->set(e.key, (*this)(e.value));
        return copy;
      }
      default:
        return value;
    }
  }

 private:
  core::Values items(const core::Values& from) {
    core::Values out;
    for (const Value& v : from) out.push_back((*this)(v));
    return out;
  }

  Value tensor(const Tensor& t) {
    core::StorageRef& moved = moved_[t.storage().get()];
    if (!moved) moved = core::copy_to_device(t.storage(), device_);
    return Tensor::view_of(moved, t.offset(), t.sizes(), t.strides(), t.dtype());
  }

  Device device_;
  std::unordered_map<const core::Storage*, core::StorageRef> moved_;
};

/// The same case on the CPU.
Case on_cpu(const Case& c) {
  Case other = c;
  other.point.choices["device"] = "cpu";
  return other;
}

void relocate(Observation& o, Device device) {
  Relocation move(device);
  o.outputs = move(o.outputs);
  for (Value& v : o.args_after) v = move(v);
  for (auto& [name, v] : o.kwargs_after) v = move(v);
  for (StateChange& s : o.state) s.value = move(s.value);
}

}  // namespace

Value relocated(const Value& value, Device device) { return Relocation(device)(value); }

std::string DevicePortable::not_applicable(const PropertyContext& context) const {
  const auto& devices = context.spec->devices;
  bool other = std::any_of(devices.begin(), devices.end(),
                           [](Device d) { return d.type != core::DeviceType::cpu; });
  return other ? "" : "the spec declares no device but the CPU";
}

bool DevicePortable::concerns(const PropertyContext&, const Case& c) const {
  return c.device().type != core::DeviceType::cpu;
}

Judgement DevicePortable::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  if (!concerns(context, c)) {
    out.reason = "on the CPU";
    return out;
  }
  out.reason = cannot_run(*context.subject->runner, c);
  if (!out.reason.empty()) return out;
  Case base = on_cpu(c);
  Runner* reference = context.reference ? context.reference->runner.get() : nullptr;
  bool usable = reference && cannot_run(*reference, base).empty();
  Observation expected = (usable ? reference : context.subject->runner.get())->run(base);
  relocate(expected, c.device());
  Observation given = context.subject->runner->run(c);
  Comparison comparison =
      compare_adjudicated(given, expected, context.compare, *context.subject->runner, c);
  out = judge_comparison(std::move(comparison), std::move(given), std::move(expected));
  out.of_reference = usable;
  return out;
}

}  // namespace assay::verify
