#include "verify/run/recording_runner.h"

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "verify/cases/binding.h"
#include "verify/run/engine_export.h"

namespace assay::verify {

using core::Tensor;
using core::Value;

namespace {

/// How much alike two inputs are.
enum class Likeness { other, shapes, values };

Likeness likeness(const Value& a, const Value& b) {
  if (a.tag() != b.tag()) return Likeness::other;
  auto all = [](const core::Values& x, const core::Values& y) {
    if (x.size() != y.size()) return Likeness::other;
    Likeness least = Likeness::values;
    for (size_t i = 0; i < x.size(); ++i) least = std::min(least, likeness(x[i], y[i]));
    return least;
  };
  switch (a.tag()) {
    case Value::Tag::tensor: {
      Tensor x = a.to_tensor(), y = b.to_tensor();
      if (x.dtype() != y.dtype() || x.sizes() != y.sizes()) return Likeness::other;
      bool comparable = x.strides() == y.strides() && core::has_bytes(x) && core::has_bytes(y);
      bool equal = comparable && core::same_bytes(x, y);
      return equal || x.numel() == 0 ? Likeness::values : Likeness::shapes;
    }
    case Value::Tag::list:
      return all(a.list().items, b.list().items);
    case Value::Tag::tuple:
      return all(a.tuple().items, b.tuple().items);
    case Value::Tag::dict: {
      const auto& x = a.dict().entries();
      const auto& y = b.dict().entries();
      if (x.size() != y.size()) return Likeness::other;
      Likeness least = Likeness::values;
      for (size_t i = 0; i < x.size(); ++i) {
        if (!x[i].key.equals(y[i].key)) return Likeness::other;
        least = std::min(least, likeness(x[i].value, y[i].value));
      }
      return least;
    }
    default:
      return a.equals(b) ? Likeness::values : Likeness::shapes;
  }
}

Likeness likeness(const Call& call, const RecordedExport& exported) {
  if (call.args.size() != exported.args.size()) return Likeness::other;
  if (call.kwargs.size() != exported.kwargs.size()) return Likeness::other;
  Likeness least = Likeness::values;
  for (size_t i = 0; i < call.args.size(); ++i) {
    least = std::min(least, likeness(call.args[i], exported.args[i]));
  }
  for (size_t i = 0; i < call.kwargs.size(); ++i) {
    if (call.kwargs[i].first != exported.kwargs[i].first) return Likeness::other;
    least = std::min(least, likeness(call.kwargs[i].second, exported.kwargs[i].second));
  }
  return least;
}

/// A call outside the spec can still be compared; it only has no place on the axes.
Case placed(const Spec& spec, const Call& call) {
  try {
    return bind_case(spec, call);
  } catch (const base::Error&) {
    return given_case(call);
  }
}

Case case_of(const Spec& spec, const RecordedCall& call) {
  if (!call.case_json.empty()) return case_from_json(call.case_json);
  Case c = placed(spec, Call{call.args, call.kwargs});
  c.point.choices["mode"] = call.mode;
  c.point.choices["grad"] = call.grad ? "on" : "off";
  if (call.device != "cpu") c.point.choices["device"] = call.device;
  c.point.seed = call.seed;
  return c;
}

/// A case that names the CPU is the same as one that names no device.
Case plain(Case c) {
  auto device = c.point.choices.find("device");
  if (device != c.point.choices.end() && device->second == "cpu") c.point.choices.erase(device);
  return c;
}

}  // namespace

RecordingRunner::RecordingRunner(std::shared_ptr<const Recording> recording, std::string path,
                                 const Spec& spec)
    : recording_(std::move(recording)), path_(std::move(path)) {
  for (const RecordedCall& call : recording_->calls) {
    cases_.push_back(case_of(spec, call));
    plain_.push_back(plain(cases_.back()));
  }
}

const RecordedCall* RecordingRunner::find(const Case& c) const {
  Case wanted = plain(c);
  for (size_t i = 0; i < plain_.size(); ++i) {
    if (plain_[i] == wanted) return &recording_->calls[i];
  }
  return nullptr;
}

Observation RecordingRunner::run(const Case& c) {
  if (const RecordedCall* call = find(c)) return call->observation;
  Observation o;
  o.failure = Failure{};
  o.failure->type = "not_run";
  o.failure->message = "the recording has no such call";
  return o;
}

std::string RecordingRunner::cannot_run(const Case& c) const {
  return find(c) ? "" : "it has no such call";
}

RecordingExporter::RecordingExporter(std::shared_ptr<const Recording> recording, const Spec& spec,
                                     std::string method)
    : recording_(std::move(recording)), method_(std::move(method)) {
  for (const RecordedExport& e : recording_->exports) {
    if (e.meta) continue;
    Case at = placed(spec, Call{e.args, e.kwargs});
    at.point.choices["mode"] = e.mode;
    if (e.call != 1) at.point.choices["call"] = std::to_string(e.call);
    ExportResult result = load(e, std::move(at));
    if (result.exported) known_.push_back(result.exported);
  }
}

ExportResult RecordingExporter::load(const RecordedExport& exported, Case at) const {
  ExportResult result;
  try {
    auto loaded = EngineExport::from_bytes(exported.archive, method_);
    loaded->program();  // What cannot be compiled is no export that helps.
    loaded->exported_at = std::move(at);
    loaded->escapes = exported.escapes;
    loaded->called_with(exported.taken);
    result.exported = loaded;
  } catch (const base::Error& e) {
    result.failure = e.message();
  }
  return result;
}

ExportResult RecordingExporter::export_at(const Case& c, bool meta) {
  Call call = materialize(c);
  const RecordedExport* best = nullptr;
  Likeness most = Likeness::other;
  for (const RecordedExport& e : recording_->exports) {
    if (e.meta != meta) continue;
    // One export under the meta device speaks for all inputs: only its device literals count.
    Likeness like = meta ? Likeness::shapes : likeness(call, e);
    if (!meta && (e.mode != c.setting("mode") || e.call != c.calls())) continue;
    if (like > most) best = &e, most = like;
  }
  if (best) return load(*best, c);
  ExportResult result;
  result.failure = meta ? "the model could not be exported on another device"
                        : "the recording holds no export at inputs of these shapes";
  return result;
}

}  // namespace assay::verify
