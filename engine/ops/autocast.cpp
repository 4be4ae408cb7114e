#include "engine/ops/autocast.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/restore.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

using core::DeviceType;
using core::DType;
using core::Value;

namespace {

using Args = std::span<const Value>;

bool on(const Value& v, DeviceType device) {
  return v.is_tensor() && v.tensor_impl()->storage->device().type == device;
}

/// Whether a tensor takes part in autocast for this kind of device at all.
bool takes_part(const Value& v, DeviceType device) {
  return on(v, device) && core::is_floating(v.tensor_impl()->dtype) &&
         v.tensor_impl()->dtype != DType::float64;
}

/// Calls `visit` for the arguments that are no lists, and for the members of lists.
template <typename Visit>
void for_each_member(Args args, const Visit& visit) {
  for (const Value& v : args) {
    if (!v.is_list()) {
      visit(v);
      continue;
    }
    for (const Value& item : v.list().items) visit(item);
  }
}

/// The type that the tensors of a call have in common: float32 if one of them is.
DType widest(Args args, DeviceType device, DType lower) {
  DType found = lower;
  for_each_member(args, [&](const Value& v) {
    if (!takes_part(v, device)) return;
    DType dtype = v.tensor_impl()->dtype;
    base::check(dtype == DType::float32 || dtype == lower, "autocast to ", core::script_name(lower),
                ": a tensor is ", core::script_name(dtype), ", which has no common type with it");
    if (dtype == DType::float32) found = dtype;
  });
  return found;
}

/// The overload that takes the same arguments and `dtype` behind them.
const Operator& with_dtype(const Operator& op) {
  const auto& wanted = op.schema.arguments;
  for (const Operator* other : overloads(op.symbol)) {
    const auto& given = other->schema.arguments;
    bool same = given.size() == wanted.size() + 1 && given.back().name == "dtype" &&
                std::ranges::equal(std::span(given).first(wanted.size()), wanted, {},
                                   &Argument::name, &Argument::name);
    if (same) return *other;
  }
  base::unreachable(op.qualified_name, " has no overload with 'dtype'");
}

}  // namespace

/// The handler behind all regions of a context.
class AutocastRegion::Caster final : public Handler {
 public:
  explicit Caster(Context& context) : context_(context), scope_(context, *this) {}

  Stage stage() const override { return Stage::change; }
  /// What an operator that autocast knows calls itself stays as it is.
  bool wants_nested() const override { return !busy_ && !scripted(); }

  Results call(const Operator& op, Args args, const Next& next) override {
    if (op.is_inplace || op.is_out) return next(op, args);
    for (DeviceType device : {DeviceType::cuda, DeviceType::cpu}) {
      Cast cast = cast_of(op, device);
      if (runs(cast, device, args)) return cast_call(cast, device, op, args, next);
    }
    return next(op, args);
  }

 private:
  bool scripted() const { return context_.autocast->rules_ == Rules::script; }

  Cast cast_of(const Operator& op, DeviceType device) const {
    Autocast rules = op.autocast();
    if (!scripted()) return device == DeviceType::cpu ? rules.cpu : rules.cuda;
    // The list names operators; those of another name that mean the same are not on it.
    return op.symbol == op.functional->symbol ? rules.script : Cast::keep;
  }

  bool runs(Cast cast, DeviceType device, Args args) const {
    if (cast == Cast::keep || !context_.autocast->mode(device).enabled) return false;
    bool any = false;
    for_each_member(args, [&](const Value& v) { any = any || on(v, device); });
    return any;
  }

  Results cast_call(Cast cast, DeviceType device, const Operator& op, Args args, const Next& next) {
    base::Restore busy(busy_, true);
    DType lower = context_.autocast->mode(device).dtype;
    switch (cast) {
      case Cast::keep:
        break;
      case Cast::lower:
        return next(op, all_as(lower, device, args));
      case Cast::full:
        return next(op, all_as(DType::float32, device, args));
      case Cast::widest:
        return next(op, all_as(widest(args, device, lower), device, args));
      case Cast::full_result:
        if (takes_part(args[0], device)) return next(op, with_full_result(op, args));
        break;
      case Cast::full_norm:
        if (takes_part(args[0], device)) {
          core::Values more(args.begin(), args.end());
          more.emplace_back(static_cast<int64_t>(DType::float32));
          return next(with_dtype(op), more);
        }
        break;
      case Cast::refuse:
        base::fail(op.qualified_name, " does not run under autocast on ",
                   core::Device{device}.text(), ": in ", core::script_name(lower),
                   " its logarithms overflow. Take the form that is given logits "
                   "(binary_cross_entropy_with_logits), or end autocast around the call.");
    }
    return next(op, args);
  }

  static core::Values with_full_result(const Operator& op, Args args) {
    core::Values changed(args.begin(), args.end());
    Value& dtype = changed[op.schema.find_argument("dtype").value()];
    if (dtype.is_none()) dtype = static_cast<int64_t>(DType::float32);
    return changed;
  }

  core::Values all_as(DType to, DeviceType device, Args args) {
    core::Values changed;
    changed.reserve(args.size());
    for (const Value& v : args) {
      if (!v.is_list() || scripted()) {
        changed.push_back(as(to, device, v));
        continue;
      }
      core::Values items;
      for (const Value& item : v.list().items) items.push_back(as(to, device, item));
      changed.emplace_back(core::make_list(v.list().element, std::move(items)));
    }
    return changed;
  }

  Value as(DType to, DeviceType device, const Value& v) {
    if (!takes_part(v, device) || v.tensor_impl()->dtype == to) return v;
    const AutocastRegion& region = *context_.autocast;
    bool lowers = to == region.mode(device).dtype && v.tensor_impl()->dtype == DType::float32;
    if (scripted() && to != DType::float32 && !lowers) return v;
    bool keeps = lowers && region.cache_ && !scripted() && v.tensor_impl()->requires_grad;
    if (!keeps) return cast(v, to);
    Kept& kept = kept_[v.tensor_impl()];
    bool fits = kept.copy.is_tensor() && kept.copy.tensor_impl()->dtype == to;
    if (!fits) kept = {v, cast(v, to)};
    return kept.copy;
  }

  Value cast(const Value& v, DType to) {
    return ops::call(context_, "aten::to.dtype", {v, static_cast<int64_t>(to)});
  }

  struct Kept {
    Value parameter;  // So that no other tensor takes its place in memory.
    Value copy;
  };
  Context& context_;
  std::unordered_map<const core::TensorImpl*, Kept> kept_;
  bool busy_ = false;
  HandlerScope scope_;
};

AutocastRegion::AutocastRegion(Context& context, DeviceType device, AutocastMode mode, Rules rules,
                               bool cache)
    : context_(context), outer_(context.autocast), rules_(rules), cache_(cache) {
  if (outer_) {
    cpu_ = outer_->cpu_;
    cuda_ = outer_->cuda_;
  } else {
    caster_ = std::make_unique<Caster>(context);
  }
  if (device == DeviceType::cpu && mode.dtype != DType::bfloat16) mode.enabled = false;
  (device == DeviceType::cpu ? cpu_ : cuda_) = mode;
  context.autocast = this;
}

AutocastRegion::~AutocastRegion() { context_.autocast = outer_; }

const AutocastMode& AutocastRegion::mode(DeviceType device) const {
  return device == DeviceType::cpu ? cpu_ : cuda_;
}

}  // namespace assay::ops
