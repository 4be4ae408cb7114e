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

/// How the subject's run differs from the model's under PyTorch's meta device, which stands for any
/// device that the model's host has not: it gives shapes and element types, no values. Nothing
/// where it does not differ, or cannot run there (what a model reads from values is not known).
std::optional<Comparison> differs_on_meta(const PropertyContext& context, Runner& reference,
                                          const Case& c, const Observation& given) {
  Case on_meta = c;
  on_meta.point.choices["device"] = "meta";
  if (given.ending != Ending::returned || !cannot_run(reference, on_meta).empty()) return {};
  Observation expected = reference.run(on_meta);
  if (expected.ending != Ending::returned) return {};
  Observation without_values = given;
  relocate(without_values, Device{core::DeviceType::meta});
  Comparison comparison = compare(without_values, expected, context.compare);
  const Difference* headline = comparison.headline();
  bool form = headline && (headline->layer == Layer::structure || headline->layer == Layer::dtype ||
                           headline->layer == Layer::shape);
  if (!form) return {};
  return comparison;
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
  if (usable && comparison.agrees() && !cannot_run(*reference, c).empty()) {
    if (auto other = differs_on_meta(context, *reference, c, given)) comparison = *other;
  }
  out = judge_comparison(std::move(comparison), std::move(given), std::move(expected));
  out.of_reference = usable;
  return out;
}

}  // namespace assay::verify
