#include "verify/run/recording_runner.h"

#include <algorithm>

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

/// Of the arguments of two calls or exports.
template <typename A, typename B>
Likeness likeness_of_calls(const A& a, const B& b) {
  if (a.args.size() != b.args.size() || a.kwargs.size() != b.kwargs.size()) return Likeness::other;
  Likeness least = Likeness::values;
  for (size_t i = 0; i < a.args.size(); ++i) {
    least = std::min(least, likeness(a.args[i], b.args[i]));
  }
  for (size_t i = 0; i < a.kwargs.size(); ++i) {
    if (a.kwargs[i].first != b.kwargs[i].first) return Likeness::other;
    least = std::min(least, likeness(a.kwargs[i].second, b.kwargs[i].second));
  }
  return least;
}

bool equal_arguments(const RecordedCall& a, const RecordedCall& b) {
  return likeness_of_calls(a, b) == Likeness::values;
}

/// A call outside the spec can still be compared; it only has no place on the axes.
Case placed(const Spec& spec, const Call& call) {
  try {
    return bind_case(spec, call);
  } catch (const base::Error&) {
    return given_case(call);
  }
}

/// Which of several calls in a row with the same arguments each call is, from 1; 0 where others
/// came before it, which no case can say.
std::vector<int64_t> numbers_in_rows(const std::vector<RecordedCall>& calls) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < calls.size(); ++i) {
    bool goes_on = calls[i].keep && i > 0;
    bool alike = goes_on && equal_arguments(calls[i - 1], calls[i]);
    out.push_back(!goes_on ? 1 : alike && out.back() > 0 ? out.back() + 1 : 0);
  }
  return out;
}

/// `number`: which of several calls in a row it is, where the recording has some.
Case case_of(const Spec& spec, const RecordedCall& call, std::optional<int64_t> number) {
  if (!call.case_json.empty()) return case_from_json(call.case_json);
  Case c = placed(spec, Call{call.args, call.kwargs});
  c.point.choices["mode"] = call.mode;
  c.point.choices["grad"] = call.grad ? "on" : "off";
  if (call.device != "cpu" || spec.devices.size() > 1) c.point.choices["device"] = call.device;
  if (number) c.point.choices["call"] = std::to_string(*number);
  if (spec.seeds) c.point.choices["seed"] = std::to_string(call.seed);
  c.point.seed = call.seed;
  return c;
}

/// What the model was called with: a case that names the CPU is the same as one that names no
/// device, and loading the archive anew concerns the subject alone.
Case plain(Case c) {
  c.point.choices.erase("reload");
  auto device = c.point.choices.find("device");
  if (device != c.point.choices.end() && device->second == "cpu") c.point.choices.erase(device);
  return c;
}

}  // namespace

RecordingRunner::RecordingRunner(std::shared_ptr<const Recording> recording, std::string path,
                                 const Spec& spec)
    : recording_(std::move(recording)), path_(std::move(path)) {
  auto declared = spec.choices.find(CategoricalAxis::reload);
  std::vector<std::string> reloads{""};
  if (declared != spec.choices.end()) reloads = declared->second;
  std::vector<int64_t> numbers = numbers_in_rows(recording_->calls);
  bool in_rows = spec.calls || std::any_of(numbers.begin(), numbers.end(),
                                           [](int64_t number) { return number != 1; });
  for (size_t i = 0; i < numbers.size(); ++i) {
    Case c =
        case_of(spec, recording_->calls[i], in_rows ? std::optional(numbers[i]) : std::nullopt);
    plain_.push_back(plain(c));
    if (numbers[i] == 0) continue;
    for (const std::string& word : reloads) {
      if (!word.empty()) c.point.choices["reload"] = word;
      cases_.push_back(c);
    }
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
    if (e.state != "kept") at.point.choices["state"] = e.state;
    if (spec.seeds) at.point.choices["seed"] = std::to_string(e.seed);
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
    Likeness like = meta ? Likeness::shapes : likeness_of_calls(call, e);
    bool made_so = e.mode == c.setting("mode") && e.call == c.calls() &&
                   e.state == c.setting("state") && e.seed == c.model_seed();
    if (!meta && !made_so) continue;
    if (like > most) best = &e, most = like;
  }
  if (best) return load(*best, c);
  ExportResult result;
  result.failure = meta ? "the model could not be exported on another device"
                        : "the recording holds no export at inputs of these shapes";
  return result;
}

}  // namespace assay::verify
