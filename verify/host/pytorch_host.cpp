#include "verify/host/pytorch_host.h"

#include <fmt/core.h>

#include "engine/base/error.h"
#include "verify/host/fields.h"
#include "verify/host/observation_tree.h"
#include "verify/host/value_tree.h"

namespace assay::verify::host {

using nlohmann::json;

namespace {

constexpr int64_t kProtocol = 1;

Deadline after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

class ProcessSource final : public ByteSource {
 public:
  ProcessSource(Process& process, Deadline deadline) : process_(process), deadline_(deadline) {}
  size_t read_some(std::span<std::byte> into) override {
    return process_.read_some(into, deadline_);
  }

 private:
  Process& process_;
  Deadline deadline_;
};

std::vector<int64_t> read_sizes(const json& list, std::string_view what) {
  std::vector<int64_t> out;
  for (const json& item : list) out.push_back(detail::as_size(item, what));
  return out;
}

std::vector<TensorFacts> read_tensor_facts(const json& model, std::string_view group) {
  std::vector<TensorFacts> out;
  if (!detail::optional_field(model, group)) return out;
  for (const json& item : detail::list_field(model, group))
    out.push_back({detail::text_field(item, "name"), detail::text_field(item, "dtype"),
                   detail::text_field(item, "device"),
                   read_sizes(detail::list_field(item, "shape"), "shape")});
  return out;
}

ModelFacts read_model(const json& model) {
  ModelFacts facts;
  facts.kind = detail::text_field(model, "kind");
  facts.class_name = detail::text_field(model, "class");
  facts.file = detail::text_field(model, "file", "");
  facts.parameters = read_tensor_facts(model, "parameters");
  facts.buffers = read_tensor_facts(model, "buffers");
  if (const json* training = detail::optional_field(model, "training"))
    facts.training = detail::as_bool(*training, "training");
  if (detail::optional_field(model, "weight_dims"))
    facts.weight_dims = read_sizes(detail::list_field(model, "weight_dims"), "weight_dims");
  if (detail::optional_field(model, "signature"))
    for (const json& item : detail::list_field(model, "signature"))
      facts.signature.push_back({detail::text_field(item, "name"), detail::text_field(item, "kind"),
                                 detail::text_field(item, "annotation"),
                                 detail::as_bool(detail::field(item, "optional"), "optional")});
  return facts;
}

HostFacts read_facts(const json& hello) {
  HostFacts facts;
  facts.torch = detail::text_field(hello, "torch");
  facts.python = detail::text_field(hello, "python");
  facts.executable = detail::text_field(hello, "executable");
  facts.default_dtype = detail::text_field(hello, "default_dtype");
  facts.threads = detail::as_size(detail::field(hello, "threads"), "threads");
  facts.engine = detail::as_bool(detail::field(hello, "engine"), "engine");
  for (const json& device : detail::list_field(hello, "devices"))
    facts.devices.push_back(detail::as_text(device, "devices"));
  return facts;
}

const char* omission_name(Omission::Kind kind) {
  switch (kind) {
    case Omission::Kind::check:
      return "check";
    case Omission::Kind::write:
      return "write";
    case Omission::Kind::question:
      return "question";
    case Omission::Kind::state:
      break;
  }
  return "state";
}

json call_tree(const char* verb, const CallRequest& call, TreeWriter& writer) {
  json out = {{"do", verb},
              {"args", writer.trees(call.args)},
              {"kwargs", named_trees(call.kwargs, writer)},
              {"method", call.method},
              {"mode", call.mode},
              {"grad", call.grad},
              {"seed", call.seed},
              {"device", call.device},
              {"keep", call.keep},
              {"touched", call.device_usage}};
  if (call.of_archive) out["of"] = "archive";
  if (!call.dtype.empty()) out["dtype"] = call.dtype;
  if (call.scale != 0) out["scale"] = call.scale;
  if (call.taken) out["taken"] = taken_tree(*call.taken);
  for (const Omission& line : call.omitted) {
    out["omitted"].push_back(
        json::array({omission_name(line.kind), line.place.file, line.place.line}));
  }
  if (!call.autocast.empty()) out["autocast"] = call.autocast;
  return out;
}

/// `{"dim": 8}` or `[8, "relu"]`.
json read_build_args(const std::string& text) {
  try {
    json args = detail::parse_json(text, "--build-args");
    if (args.is_object() || args.is_array()) return args;
  } catch (const base::Error&) {  // Told below, with what is wanted.
  }
  base::fail(
      "--build-args wants a JSON object or list, such as '{\"dim\": 8}' or '[8, \"relu\"]', not '",
      text.substr(0, 80), "'");
}

}  // namespace

std::string failure_text(const Failure& failure) {
  std::string text = fmt::format("{}: {}", failure.type, failure.message);
  if (!failure.place.file.empty())
    text += fmt::format(" ({}:{} in {})", failure.place.file, failure.place.line,
                        failure.place.function);
  return text;
}

PytorchHost::PytorchHost(HostOptions options) : options_(std::move(options)) { employ(launch()); }

PytorchHost::~PytorchHost() {
  if (process_) process_->kill();
  if (spare_) spare_->kill();
}

std::unique_ptr<Process> PytorchHost::launch() const {
  ProcessOptions child;
  child.command = {options_.python, "-c", host_program()};
  if (!options_.engine_package.empty()) child.command.push_back(options_.engine_package);
  child.directory = options_.directory;
  child.interrupted = options_.interrupted;
  child.environment = {{"OMP_NUM_THREADS", std::to_string(options_.threads)},
                       {"PYTHONDONTWRITEBYTECODE", "1"}};
  return std::make_unique<Process>(child);
}

void PytorchHost::employ(std::unique_ptr<Process> started) {
  process_ = std::move(started);
  std::string refused, without_torch;
  try {
    ProcessSource source(*process_, after(options_.start_seconds));
    std::optional<Frame> hello = read_frame(source, {size_t{1} << 20, 0});
    base::check(hello.has_value(), "no greeting");
    const json& message = *hello->message;
    int64_t protocol = detail::as_int(detail::field(message, "protocol"), "protocol");
    base::check(protocol == kProtocol, "protocol ", protocol, " instead of ", kProtocol);
    if (detail::as_bool(detail::field(message, "ok"), "ok")) {
      facts_ = read_facts(message);
      return;
    }
    Failure failure = read_failure(detail::field(message, "error"));
    without_torch = fmt::format(
        "{} (Python {}) {}: {}", options_.python, detail::text_field(message, "python"),
        options_.engine_package.empty() ? "has no usable torch" : "cannot use the engine's torch",
        failure_text(failure));
  } catch (const base::Error& error) {
    refused =
        fmt::format("{} cannot serve as the PyTorch host: {}", options_.python, error.message());
  }
  process_.reset();
  if (!without_torch.empty()) throw WithoutTorch(without_torch);
  base::fail(refused);
}

/// False where there is none, or where it is of no use: something may have ended it meanwhile.
bool PytorchHost::employ_spare() {
  if (!spare_) return false;
  try {
    employ(std::move(spare_));
  } catch (const base::Error&) {
    return false;
  }
  return true;
}

std::string PytorchHost::name() const {
  if (facts_.engine) return fmt::format("assay's engine ({})", facts_.executable);
  return fmt::format("PyTorch {} ({})", facts_.torch, facts_.executable);
}

void PytorchHost::ensure_running() {
  if (process_ && process_->running()) return;
  process_.reset();
  bool unwanted = options_.interrupted && options_.interrupted();
  base::check(!unwanted, "the process was lost, and no other is started after an interruption");
  ++restarts_;
  if (!employ_spare()) employ(launch());
  try {
    spare_ = launch();            // Its greeting is read when it is needed.
  } catch (const base::Error&) {  // No more processes: then the next start takes its time.
  }
  if (loaded_) load_again(*loaded_);
  if (archive_) load_again(*archive_, true);
}

Frame PytorchHost::exchange(const json& request, const TreeWriter* writer, double seconds) {
  Deadline deadline = after(seconds);
  process_->write(frame_bytes(request, writer ? writer->tensors() : std::vector<NamedBytes>{}),
                  deadline);
  ProcessSource source(*process_, deadline);
  std::optional<Frame> reply = read_frame(source);
  base::check(reply.has_value(), "the answer is missing");
  return *std::move(reply);
}

template <typename F>
std::pair<Ending, Failure> PytorchHost::guarded(const char* phase, F body) {
  Ending ending = Ending::not_run;
  std::string message;
  try {
    try {
      ensure_running();
    } catch (const base::Error& error) {
      return {ending, {std::string(ending_name(ending)), error.message(), "load", {}, {}}};
    }
    ending = Ending::invalid_reply;
    body();
    return {Ending::returned, {}};
  } catch (const ProcessLost& error) {
    ending = error.ending;
    message = error.message();
  } catch (const base::Error& error) {
    message = fmt::format("the process answered what is no answer: {}", error.message());
  }
  process_->kill();
  return {ending, {std::string(ending_name(ending)), message, phase, {}, {}}};
}

Loaded PytorchHost::load(const std::string& model, const std::string& example, uint64_t seed,
                         const std::string& build_args) {
  loaded_.reset();
  ensure_running();
  Name name{model, example, seed, build_args};
  Loaded loaded = load_again(name);
  loaded_ = name;
  return loaded;
}

void PytorchHost::load_archive(const std::string& path) {
  archive_.reset();
  ensure_running();
  Name name{path, "", 0, ""};
  load_again(name, true);
  archive_ = name;
}

Loaded PytorchHost::load_again(const Name& name, bool archive) {
  json request = {{"do", "load"}, {"model", name.model}, {"seed", name.seed}};
  if (archive) request["of"] = "archive";
  if (!name.example.empty()) request["example"] = name.example;
  if (!name.build_args.empty()) request["build_args"] = read_build_args(name.build_args);
  try {
    Frame reply = exchange(request, nullptr, options_.load_seconds);
    const json& message = *reply.message;
    if (!detail::as_bool(detail::field(message, "ok"), "ok")) {
      Failure failure = read_failure(detail::field(message, "error"));
      base::fail(failure.phase, " of ", failure.phase == "example" ? name.example : name.model,
                 " failed: ", failure_text(failure));
    }
    Loaded loaded{read_model(detail::field(message, "model")), std::nullopt};
    TreeReader reader(reply);
    if (const json* example = detail::optional_field(message, "example"))
      loaded.example = reader.values(*example);
    return loaded;
  } catch (const ProcessLost& error) {
    bool late = error.ending == Ending::timed_out;
    base::check(!late, "building ", name.model, " took longer than ", options_.load_seconds,
                " s (--timeout-per-case allows more)");
    base::fail("building ", name.model, " failed: ", error.message());
  }
}

Observation PytorchHost::run(const CallRequest& request) {
  Observation seen;
  auto [ending, failure] = guarded("run", [&] {
    TreeWriter writer;
    json message = call_tree("run", request, writer);
    Frame reply = exchange(message, &writer, options_.call_seconds);
    TreeReader reader(reply);
    seen = read_observation(*reply.message, reader);
    if (!detail::as_bool(detail::field(*reply.message, "ok"), "ok")) seen.ending = Ending::not_run;
  });
  if (ending == Ending::returned) return seen;
  seen = {};
  seen.ending = ending;
  seen.failure = std::move(failure);
  return seen;
}

GradientFlow PytorchHost::gradient_flow(const CallRequest& request, const FlowWish& wish) {
  GradientFlow flow;
  auto [ending, failure] = guarded("gradients", [&] {
    TreeWriter writer;
    json message = call_tree("gradients", request, writer);
    message["nudged"] = wish.nudged;
    for (const SourceLocation& line : wish.ignored)
      message["ignored"].push_back(json::array({line.file, line.line}));
    Frame reply = exchange(message, &writer, options_.call_seconds);
    TreeReader reader(reply);
    flow = read_gradient_flow(*reply.message, reader);
  });
  if (ending == Ending::returned) return flow;
  flow = {};
  flow.reason = failure.message;
  return flow;
}

Export PytorchHost::export_model(const ExportRequest& request) {
  Export made;
  auto [ending, failure] = guarded("export", [&] {
    TreeWriter writer;
    json message = call_tree("export", request, writer);
    message["kind"] = request.kind == ExportRequest::Kind::trace    ? "trace"
                      : request.kind == ExportRequest::Kind::script ? "script"
                                                                    : "fx";
    message["strict"] = request.strict;
    message["draws_as_runs"] = request.draws_as_runs;
    if (options_.most_nodes) message["most_nodes"] = options_.most_nodes;
    Frame reply = exchange(message, &writer, options_.call_seconds);
    TreeReader reader(reply);
    Observation seen = read_observation(*reply.message, reader);
    bool ok = detail::as_bool(detail::field(*reply.message, "ok"), "ok");
    auto archive = reply.tensors.find("archive");
    base::check(seen.failure || archive != reply.tensors.end(), "an export without an archive");
    if (archive != reply.tensors.end())
      made.archive.assign(reinterpret_cast<const char*>(archive->second.bytes.data()),
                          archive->second.bytes.size());
    made.ending = ok ? seen.ending : Ending::not_run;
    made.failure = std::move(seen.failure);
    made.warnings = std::move(seen.warnings);
    if (const json* escapes = detail::optional_field(*reply.message, "escapes"))
      made.escapes = read_escapes(*escapes);
    if (const json* taken = detail::optional_field(*reply.message, "taken"))
      made.taken = read_taken(*taken);
    made.state = std::move(seen.state);
    made.printed = std::move(seen.printed);
    made.wall_seconds = seen.wall_seconds;
  });
  if (ending == Ending::returned) return made;
  made = {};
  made.ending = ending;
  made.failure = std::move(failure);
  return made;
}

std::map<std::string, std::string> PytorchHost::weights() {
  std::map<std::string, std::string> out;
  auto [ending, failure] = guarded("weights", [&] {
    Frame reply = exchange({{"do", "weights"}}, nullptr, options_.start_seconds);
    const json& weights = detail::field(*reply.message, "weights");
    base::check(weights.is_object(), "weights is no object");
    for (const auto& [path, hash] : weights.items()) out[path] = detail::as_text(hash, "weights");
  });
  if (ending != Ending::returned) base::fail("the weights' hashes: ", failure.message);
  return out;
}

void PytorchHost::reset() {
  auto [ending, failure] = guarded("reset", [&] {
    exchange({{"do", "reset"}}, nullptr, options_.start_seconds);
  });
  if (ending != Ending::returned) base::fail("reset failed: ", failure.message);
}

}  // namespace assay::verify::host
