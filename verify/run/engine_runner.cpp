#include "verify/run/engine_runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "engine/api/load.h"
#include "engine/api/save.h"
#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/ops/autocast.h"
#include "engine/ops/dispatch.h"
#include "engine/trace/cuts.h"
#include "engine/trace/gradients.h"
#include "verify/cases/materialize.h"
#include "verify/observation/aliases.h"
#include "verify/observation/bounded.h"
#include "verify/observation/places.h"
#include "verify/run/cut_flow.h"
#include "verify/run/ledger.h"
#include "verify/run/random_rounding.h"

namespace assay::verify {

using core::Tensor;
using core::Value;

namespace {

/// Whether a value's elements and metadata are still those of an equal, untouched copy.
bool unchanged(const Value& now, const Value& before) {
  if (now.tag() != before.tag()) return false;
  switch (now.tag()) {
    case Value::Tag::tensor: {
      Tensor a = now.to_tensor(), b = before.to_tensor();
      bool same = a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
      if (!same || !core::has_bytes(a)) return same;
      return core::same_bytes(a, b);
    }
    case Value::Tag::list: {
      const auto& a = now.list().items;
      const auto& b = before.list().items;
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), unchanged);
    }
    case Value::Tag::tuple: {
      const auto& a = now.tuple().items;
      const auto& b = before.tuple().items;
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), unchanged);
    }
    case Value::Tag::dict: {
      const auto& a = now.dict().entries();
      const auto& b = before.dict().entries();
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.key.equals(y.key) && unchanged(x.value, y.value);
      });
    }
    default:
      return now.equals(before);
  }
}

SourceLocation place_of(const base::SourceRange& range) {
  base::SourceRange original = range.original();
  if (!original) return {};
  return {original.source->name, original.line(), {}};
}

/// A line of an error's context: `File "model.py", line 8, in forward: ...`. Empty for other lines.
SourceLocation frame_of(const std::string& context) {
  static const std::regex form(R"re(File "([^"]*)", line (\d{1,9}), in (\w*))re");
  std::smatch parts;
  if (!std::regex_search(context, parts, form, std::regex_constants::match_continuous)) return {};
  return {parts[1], std::stoi(parts[2]), parts[3]};
}

/// Where the error lies, or the innermost line of the user's that led into PyTorch's own Python.
SourceLocation user_place(const base::Error& e) {
  SourceLocation place = place_of(e.range());
  if (!is_of_library(place.file)) return place;
  for (const std::string& context : e.context()) {
    SourceLocation frame = frame_of(context);
    if (!frame.file.empty() && !is_of_library(frame.file)) return frame;
  }
  return place;
}

Failure failure_of(const base::Error& e) {
  Failure f;
  f.phase = "run";
  f.message = e.message();
  switch (e.kind()) {
    case base::ErrorKind::unsupported:
      f.type = "unsupported";
      break;
    case base::ErrorKind::internal:
      f.type = "internal";
      break;
    case base::ErrorKind::input:
      f.type = e.raised_class().empty() ? "RuntimeError" : e.raised_class();
      break;
  }
  f.place = user_place(e);
  return f;
}

/// Those that share memory, as tied ones do, once.
void change_parameters(api::Module& module) {
  std::set<std::pair<const void*, int64_t>> changed;
  for (const auto& [path, value] : module.parameters()) {
    core::Tensor parameter = value.to_tensor();
    if (!core::is_floating(parameter.dtype())) continue;
    if (!changed.insert({&*parameter.storage(), parameter.offset()}).second) continue;
    ops::call(module.engine().context(), "aten::mul_.Scalar", {value, Value(changed_parameters)});
  }
}

/// As around an archive in PyTorch.
void enter_autocast(std::optional<ops::AutocastRegion>& region, ops::Context& context,
                    const Case& c) {
  if (c.setting("autocast") != "on") return;
  region.emplace(context, c.device().type, ops::AutocastMode{true, core::DType::bfloat16},
                 ops::AutocastRegion::Rules::script);
}

}  // namespace

/// What every parameter, buffer and attribute of a module holds before a call.
struct EngineRunner::State {
  struct Entry {
    api::Module::Slot slot;
    std::string place;  // As groups of aliases name it.
    StateChange::Kind kind;
    Value value;
    uint64_t version;
  };
  std::vector<Entry> entries;            // Parameters, then buffers, then all else.
  std::vector<api::Module::Slot> modes;  // `training`: the mode, not state that a call leaves.

  explicit State(const api::Module& module) {
    using Role = core::ClassType::Role;
    std::vector<api::Module::Slot> slots = module.slots();
    entries.reserve(slots.size());
    take(slots, Role::parameter, StateChange::Kind::parameter);
    take(slots, Role::buffer, StateChange::Kind::buffer);
    take(slots, Role::attribute, StateChange::Kind::attribute);
  }

  /// What they hold otherwise now.
  std::vector<StateChange> changes() const {
    std::vector<StateChange> out;
    for (const Entry& entry : entries) {
      const Value& now = entry.slot.value();
      if (entry.version == version_of(now) && entry.value.same(now)) continue;
      check_bounded(now, entry.slot.path);
      out.push_back({entry.slot.path, entry.kind, false, now});
    }
    return out;
  }

 private:
  static uint64_t version_of(const Value& v) {
    return v.is_tensor() ? v.to_tensor().storage()->version() : 0;
  }
  void take(std::vector<api::Module::Slot>& slots, core::ClassType::Role role,
            StateChange::Kind kind) {
    for (api::Module::Slot& slot : slots) {
      if (slot.role != role) continue;
      if (slot.path == "training" || slot.path.ends_with(".training")) {
        modes.push_back(std::move(slot));
        continue;
      }
      const Value& value = slot.value();
      check_bounded(value, slot.path);
      std::string place = "state:" + slot.path;
      entries.push_back({std::move(slot), std::move(place), kind, value, version_of(value)});
    }
  }
};

/// A module, and its state, which calls that change it end.
struct EngineRunner::Loaded {
  explicit Loaded(api::Module made) : module(std::move(made)), state(module) {}

  /// Takes over the module's mode and the gradient mode of a case.
  ops::Context& prepare(const Case& c) {
    for (const api::Module::Slot& mode : state.modes) {
      mode.object->slots[mode.index] = c.setting("mode") == "train";
    }
    ops::Context& context = module.engine().context();
    context.grad_enabled = c.setting("grad") == "on";
    return context;
  }

  api::Module module;
  State state;
};

EngineRunner::EngineRunner(std::function<api::Module()> load, std::string method,
                           std::shared_ptr<ir::Graph> graph, Taken taken, bool optimized)
    : load_(std::move(load)),
      method_(std::move(method)),
      graph_(std::move(graph)),
      taken_(std::move(taken)),
      optimized_(optimized) {}

EngineRunner::~EngineRunner() = default;

std::string EngineRunner::cannot_run(const Case& c) const {
  bool known =
      c.device().type == core::DeviceType::cpu || c.device().type == core::DeviceType::cuda;
  if (c.setting("autocast") == "on" && !known) {
    return fmt::format("autocast knows cpu and cuda, not {}", c.device().text());
  }
  return {};
}

std::string EngineRunner::module_key(const Case& c) const {
  std::string key = c.device().text();
  if (c.cast) key += core::script_name(*c.cast);
  key += c.setting("reload");
  key += c.setting("state");
  if (optimized_) key += c.setting("mode");
  return key;
}

EngineRunner::Loaded& EngineRunner::module_for(const Case& c) {
  core::Device device = c.device();
  std::string key = module_key(c);
  auto found = modules_.find(key);
  if (found != modules_.end()) return *found->second;
  api::Module module = load_();
  if (graph_) module.function(method_).set_graph(graph_->copy());
  if (c.setting("reload") == "on") {
    std::string bytes = api::save_bytes(module);
    module = api::load_bytes(module.engine(), bytes);
  }
  if (c.cast) module.to(*c.cast);
  if (c.setting("state") == "changed") change_parameters(module);
  if (device.type != core::DeviceType::cpu) module.to(device);
  auto loaded = std::make_unique<Loaded>(std::move(module));
  return *modules_.emplace(std::move(key), std::move(loaded)).first->second;
}

core::Value EngineRunner::call(api::Module& module, const Call& call) const {
  core::Values passed = taken_ ? taken_->chosen(call.args, call.kwargs) : call.args;
  auto kwargs = taken_ ? api::Keywords() : call.kwargs;
  if (!optimized_) return module.call(method_, passed, kwargs);
  auto result = kwargs.empty() ? module.call_optimized(method_, passed) : std::nullopt;
  if (!result) base::unsupported("there is no optimized form of ", method_, " for such calls");
  return *result;
}

std::optional<RoundedRun> EngineRunner::run_rounded(const Case& c, uint64_t draw) {
  if (optimized_) return {};  // Its operators are fused.
  RandomRounding rounding(draw);
  return RoundedRun{run(c, &rounding)};
}

Observation EngineRunner::run(const Case& c, ops::Handler* rounding) {
  Observation o;
  try {
    o = observe(module_for(c), c, rounding);
  } catch (const base::Error& e) {
    // The module cannot be loaded or prepared: no observation of a call.
    o.ending = Ending::not_run;
    o.failure = failure_of(e);
    o.failure->phase = "prepare";
  }
  if (!o.state.empty()) {
    modules_.erase(module_key(c));
    o.state = real_changes(c, std::move(o.state));
  }
  return o;
}

GradientFlow EngineRunner::gradient_flow(const Case& c, const FlowWish& wish) {
  if (optimized_) return Runner::gradient_flow(c, wish);
  GradientFlow flow;
  bool as_it_was = false;
  try {
    Loaded& loaded = module_for(c);
    flow = follow(loaded, c, wish.nudged);
    as_it_was = loaded.state.changes().empty();
  } catch (const base::Error& e) {
    flow.reason = fmt::format("{}: {}", name(), e.message());
  }
  if (!as_it_was) modules_.erase(module_key(c));
  return flow;
}

GradientFlow EngineRunner::follow(Loaded& loaded, const Case& c, bool moving) {
  ops::Context& context = loaded.prepare(c);
  api::Module& module = loaded.module;
  trace::GradientFollower gradients;
  trace::CutFollower cuts(moving);
  ops::HandlerScope marking(context, gradients);
  std::optional<ops::AutocastRegion> autocast;
  enter_autocast(autocast, context, c);
  for (int64_t i = 0; i + 1 < c.calls(); ++i) {
    module.engine().set_seed(c.model_seed());
    this->call(module, deep_copy(materialize(c, i)));
  }
  module.engine().set_seed(c.model_seed());
  Call last = deep_copy(materialize(c, c.calls() - 1));
  ask_for_gradients(last, context);
  ops::HandlerScope following(context, cuts);
  Value outputs = this->call(module, last);
  check_bounded(outputs, "the result");
  return cut_flow(outputs, cuts);
}

/// Writes are counted, whatever they write: a buffer that holds what it held before did not change.
std::vector<StateChange> EngineRunner::real_changes(const Case& c,
                                                    std::vector<StateChange> counted) {
  const State& fresh = module_for(c).state;
  std::erase_if(counted, [&](const StateChange& change) {
    return std::ranges::any_of(fresh.entries, [&](const State::Entry& entry) {
      return entry.slot.path == change.path && unchanged(change.value, entry.value);
    });
  });
  return counted;
}

Observation EngineRunner::observe(Loaded& loaded, const Case& c, ops::Handler* rounding) {
  Observation o;
  ops::Context& context = loaded.prepare(c);
  api::Module& module = loaded.module;
  DeviceLedger ledger;
  Call call, untouched;
  auto start = std::chrono::steady_clock::now();
  try {
    std::optional<ops::HandlerScope> listening, rounded, following;
    trace::GradientFollower gradients;
    if (!optimized_) listening.emplace(context, ledger);  // Calls that are heard are not optimized.
    if (context.grad_enabled && !optimized_) following.emplace(context, gradients);
    if (rounding) rounded.emplace(context, *rounding);
    std::optional<ops::AutocastRegion> autocast;
    enter_autocast(autocast, context, c);
    for (int64_t i = 0; i < c.calls(); ++i) {
      module.engine().set_seed(c.model_seed());  // Before each call, as a host does.
      untouched = materialize(c, i);
      call = deep_copy(untouched);
      o.outputs = this->call(module, call);
    }
    check_bounded(o.outputs, "the result");
    if (following) trace::settle_gradients(o.outputs);
    o.ending = Ending::returned;
  } catch (const base::Error& e) {
    o.failure = failure_of(e);
    // An optimized form may not fail at anything that the graph does not fail at.
    bool program_raised =
        e.kind() == base::ErrorKind::input || (optimized_ && e.kind() == base::ErrorKind::internal);
    o.ending = e.ran_out_of() != base::Resource::none ? Ending::exhausted
               : program_raised                       ? Ending::raised
                                                      : Ending::not_run;
    o.outputs = Value();
  }
  o.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.device_usage = ledger.counts();
  o.args_after = call.args;
  o.kwargs_after = call.kwargs;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (!unchanged(call.args[i], untouched.args[i])) o.inputs_changed = true;
  }
  for (size_t i = 0; i < call.kwargs.size(); ++i) {
    if (!unchanged(call.kwargs[i].second, untouched.kwargs[i].second)) o.inputs_changed = true;
  }
  o.state = loaded.state.changes();
  std::vector<AliasRoot> roots;
  for (size_t i = 0; i < call.args.size(); ++i) {
    roots.emplace_back(fmt::format("args[{}]", i), call.args[i]);
  }
  for (const auto& [name, value] : call.kwargs) roots.emplace_back("kwargs['" + name + "']", value);
  roots.emplace_back("output", o.outputs);
  for (const State::Entry& entry : loaded.state.entries)
    roots.emplace_back(entry.place, entry.value);
  o.aliases = alias_groups(roots);
  return o;
}

}  // namespace assay::verify
