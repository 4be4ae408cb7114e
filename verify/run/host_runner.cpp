#include "verify/run/host_runner.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"
#include "verify/run/engine_export.h"

namespace assay::verify {

host::CallRequest call_request(const Case& c, const std::string& method, int64_t number) {
  host::CallRequest request;
  Case on_host = c;  // A tensor on meta has nothing to send: the host moves what it gets.
  if (c.device().type == core::DeviceType::meta) on_host.point.choices.erase("device");
  Call call = materialize(on_host, number);
  request.args = std::move(call.args);
  request.kwargs = std::move(call.kwargs);
  request.method = method;
  request.mode = c.setting("mode");
  request.grad = c.setting("grad") == "on";
  request.seed = c.model_seed();
  request.device = c.device().text();
  if (c.cast) request.dtype = core::python_name(*c.cast);
  if (c.setting("autocast") == "on") request.autocast = "bfloat16";
  if (c.setting("state") == "changed") request.scale = changed_parameters;
  return request;
}

std::optional<Observation> HostRunner::run_without(const Case& c,
                                                   const std::vector<Omission>& omitted) {
  Observation o;
  for (int64_t i = 0; i < c.calls(); ++i) {
    auto request = call_request(c, method_, i);
    request.keep = i > 0;
    request.omitted = omitted;
    o = host_->run(request);
  }
  return o;
}

GradientFlow HostRunner::gradient_flow(const Case& c, const FlowWish& wish) {
  for (int64_t i = 0; i + 1 < c.calls(); ++i) {
    auto earlier = call_request(c, method_, i);
    earlier.keep = i > 0;
    host_->run(earlier);
  }
  auto request = call_request(c, method_, c.calls() - 1);
  request.keep = c.calls() > 1;
  return host_->gradient_flow(request, wish);
}

std::string HostRunner::name() const { return host_->name(); }

std::string HostRunner::cannot_run(const Case& c) const {
  const auto& devices = host_->facts().devices;
  std::string wanted = c.device().text();
  bool known = std::find(devices.begin(), devices.end(), wanted) != devices.end();
  if (!known) return host_->name() + " has no device " + wanted;
  return {};
}

ExportResult HostExporter::export_at(const Case& c, bool meta) {
  if (c.given) return make(c, meta, true);
  std::string key = to_json(c) + (meta ? "meta" : "");
  auto known = made_.find(key);
  if (known != made_.end()) return known->second;
  constexpr size_t most_bytes = size_t{256} << 20;  // Each holds all parameters.
  if (bytes_made_ > most_bytes) made_.clear(), bytes_made_ = 0;
  return made_[key] = make(c, meta, true);
}

ExportResult HostExporter::make_elsewhere(const Case& c, bool meta, ExportResult died) {
  if (!elsewhere_ && other_) {
    auto host = std::exchange(other_, nullptr)();
    if (host) elsewhere_ = std::make_unique<HostExporter>(std::move(host), kind_, method_);
  }
  if (!elsewhere_) return died;
  ExportResult made = elsewhere_->export_at(c, meta);
  if (!made.exported) return died;
  made.note =
      fmt::format("{} made the second export ({})", elsewhere_->host_->name(), died.failure);
  return made;
}

ExportResult HostExporter::make(const Case& c, bool meta, bool draws_as_runs) {
  host::ExportRequest request;
  static_cast<host::CallRequest&>(request) = call_request(c, method_, c.calls() - 1);
  request.kind = kind_;
  request.strict = c.setting("strict") != "off";
  request.draws_as_runs = draws_as_runs;
  if (meta) request.device = "meta";
  for (int64_t i = 1; i < c.calls(); ++i) {  // The last call is the one that is exported.
    host::CallRequest before = request;
    host::CallRequest earlier = call_request(c, method_, i - 1);
    before.args = std::move(earlier.args);
    before.kwargs = std::move(earlier.kwargs);
    before.keep = i > 1;
    host_->run(before);
  }
  request.keep = c.calls() > 1;
  host::Export made = host_->export_model(request);
  ExportResult result;
  if (made.ending != Ending::returned) {
    result.failure = made.failure ? host::failure_text(*made.failure) : "the host gave no export";
    bool lost = made.ending == Ending::died || made.ending == Ending::exhausted;
    if (lost) return make_elsewhere(c, meta, std::move(result));
  } else {
    try {
      bytes_made_ += made.archive.size();
      auto loaded = EngineExport::from_bytes(std::move(made.archive), method_);
      loaded->program();  // What cannot be compiled is no export that helps.
      loaded->exported_at = c;
      if (!meta && !host_->facts().engine) loaded->put_behind(host_, handover_);
      loaded->called_with(std::move(made.taken));
      loaded->escapes = std::move(made.escapes);
      result.exported = loaded;
    } catch (const base::Error& e) {
      result.failure = e.message();
    }
  }
  return result;
}

}  // namespace assay::verify
