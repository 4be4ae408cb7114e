#include <cstdio>

#include "ci/cli/files.h"
#include "ci/cli/host.h"
#include "ci/cli/inputs.h"
#include "ci/cli/proposal.h"
#include "ci/cli/subject.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "fuzz/generate/probes.h"
#include "verify/findings/gate.h"
#include "verify/run/host_runner.h"
#include "verify/run/recording.h"
#include "verify/spec/parser.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

RecordedCall recorded_call(const Case& c, HostRunner& runner, const std::string& method) {
  RecordedCall call;
  Call arguments = materialize(c);
  call.args = std::move(arguments.args);
  call.kwargs = std::move(arguments.kwargs);
  call.method = method;
  call.mode = c.setting("mode");
  call.grad = c.setting("grad") == "on";
  call.seed = c.model_seed();
  call.device = c.device().text();
  call.case_json = to_json(c);
  call.observation = runner.run(c);
  return call;
}

std::optional<RecordedExport> recorded_export(host::PytorchHost& host, const Case& c,
                                              const std::string& method, bool meta) {
  host::ExportRequest request;
  static_cast<host::CallRequest&>(request) = call_request(c, method, c.calls() - 1);
  if (meta) request.device = "meta";
  host::Export made = host.export_model(request);
  if (made.ending != Ending::returned) return std::nullopt;
  return RecordedExport{.args = request.args,
                        .kwargs = request.kwargs,
                        .mode = request.mode,
                        .call = c.calls(),
                        .meta = meta,
                        .state = std::string(c.setting("state")),
                        .seed = c.model_seed(),
                        .taken = std::move(made.taken),
                        .escapes = std::move(made.escapes),
                        .archive = std::move(made.archive)};
}

int run_record(const Arguments& arguments) {
  constexpr std::string_view example = "assay record model.py:Net --input ... -o calls.rec";
  const std::string& model = arguments.only_operand("one Python model", example);
  base::check(is_python_model(model), model, " is no Python model; name one: ", example);
  auto out = arguments.value("--output");
  base::check(out.has_value(), "say where to: -o calls.rec");
  check_file_writable(*out);
  Spec spec;
  if (declares_inputs(arguments)) spec = spec_of(arguments);
  auto host = start_host(arguments);
  host::Loaded loaded = load_model(*host, model, arguments);
  std::string method = arguments.value_or("--method", "forward");
  HostRunner runner(host, method);
  if (spec.inputs.empty()) spec = propose_for_model(model, loaded, runner, arguments).spec;
  auto seed = seed_of(arguments);
  propose_second_call(spec, runner, seed);
  propose_seeds(spec, runner, seed);
  auto wanted = static_cast<size_t>(arguments.integer("--max-examples", 40, 1, 100000));
  RecordingHeader header{model,
                         sha256_of_file(source_file(model, loaded)),
                         host->facts().torch,
                         host->facts().python,
                         spec_json(spec),
                         host->weights()};
  RecordingWriter writer(*out, header);
  size_t calls = 0, exports = 0;
  for (const Point& point : fuzz::systematic_probes(spec, {}, seed, wanted)) {
    Case c = build_case(spec, point);
    if (!runner.cannot_run(c).empty()) continue;
    writer.add(recorded_call(c, runner, method));
    ++calls;
    if (arguments.has("--no-exports")) continue;
    if (auto made = recorded_export(*host, c, method, false)) writer.add(*made), ++exports;
    bool first = calls == 1;
    if (first) {
      if (auto made = recorded_export(*host, c, method, true)) writer.add(*made), ++exports;
    }
  }
  writer.finish();
  std::printf("%s: %zu calls, %zu exports, %s\n", out->c_str(), calls, exports,
              runner.name().c_str());
  return calls > 0 ? exit_passed : exit_nothing_collected;
}

}  // namespace

Verb record_verb() {
  std::vector<Flag> flags = model_flags();
  flags.push_back({"--max-examples", "N", "calls at most (40)"});
  flags.push_back({"--no-exports", "", "calls only, no exports for the diagnosis"});
  flags.push_back({"--output,-o", "FILE", "the recording"});
  return {"record",
          "Records calls of a Python model beside PyTorch, to be checked where there is none.",
          "model.py:Net",
          "assay record model.py:Net --input 'x: f32[n]' --dim n=0..16 -o calls.rec",
          flags,
          true,
          run_record};
}

}  // namespace assay::cli
