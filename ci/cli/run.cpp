#include <fmt/core.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ci/cli/inputs.h"
#include "ci/cli/verb.h"
#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

core::Value outputs_of(api::Module& module, const std::string& method, const Arguments& arguments,
                       std::optional<core::Device> device) {
  const std::string& path = arguments.operands()[0];
  bool no_inputs = true;
  for (const Flag& flag : input_flags()) no_inputs = no_inputs && !arguments.has(flag.name);
  const auto& parameters = module.schema(method).arguments;
  bool needs_inputs = parameters.size() > 1 && !parameters[1].default_value;
  base::check(!(no_inputs && needs_inputs), "what are the inputs of ", path,
              "? Say so with --input 'x: f32[1, 3, 224, 224]', --spec or --load-inputs");
  verify::Call call = inputs_of(arguments, device);
  try {
    return module.call(method, call.args, call.kwargs);
  } catch (base::Error& e) {
    bool late = e.ran_out_of() == base::Resource::time;
    e.add_context(fmt::format("running {}{}", path, late ? " (--timeout allows more)" : ""));
    throw;
  }
}

/// Ends the process where something outlasts a limit that it asks for only now and then, or not at
/// all: a kernel of a library, the reading of an archive.
void end_after(double seconds) {
  ::signal(SIGALRM, [](int) {
    constexpr const char* text = "assay: the program took too long (--timeout allows more)\n";
    (void)!::write(STDERR_FILENO, text, std::strlen(text));
    ::_exit(verify::exit_usage);
  });
  auto whole = static_cast<time_t>(seconds);
  itimerval timer{{0, 0}, {whole, static_cast<suseconds_t>((seconds - double(whole)) * 1e6)}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

int run(const Arguments& arguments) {
  base::check(arguments.operands().size() == 1,
              "name one archive: assay run model.pt --load-inputs case/");
  api::EngineOptions options;
  options.seed = static_cast<uint64_t>(arguments.integer("--seed", 0, 0, INT64_MAX));
  options.reference_only = arguments.has("--reference");
  options.optimize = !options.reference_only && !arguments.has("--no-optimize");
  double seconds = arguments.duration("--timeout").value_or(600);
  options.limits.time = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1e3));
  options.limits.memory = static_cast<size_t>(arguments.integer("--memory", 0, 0, INT64_MAX >> 20))
                          << 20;
  end_after(seconds + 1);
  api::Engine engine(options);
  api::LoadOptions load_options;
  if (auto device = arguments.value("--device")) {
    load_options.map_location = core::parse_device(*device);
    base::check(load_options.map_location.has_value(), "unknown device '", *device,
                "'; known: cpu, fake:N, cuda:N");
  }
  api::Module module = api::load(engine, arguments.operands()[0], load_options);
  auto mode = arguments.value("--mode");
  base::check(!mode || *mode == "eval" || *mode == "train", "--mode is eval or train");
  if (mode) module.train(*mode == "train");
  std::string method = arguments.value_or("--method", "forward");
  core::Value outputs = outputs_of(module, method, arguments, load_options.map_location);
  if (auto folder = arguments.value("--save-outputs")) {
    save_values(*folder, outputs);
  } else {
    std::printf("%s\n", core::display(outputs).c_str());
  }
  return verify::exit_passed;
}

}  // namespace

Verb run_verb() {
  std::vector<Flag> flags{
      {"--method", "NAME", "method to call (forward)"},
      {"--seed", "N", "seed of the generators (0)"},
      {"--device", "DEVICE", "put the module and the inputs there: cpu, fake:0, cuda:0"},
      {"--mode", "eval|train", "set the mode first (as saved)"},
      {"--timeout", "TIME", "longest run (10m)"},
      {"--memory", "MIB", "most memory, of tensors and of the rest (the machine's)"},
      {"--reference", "", "run the reference kernels only"},
      {"--no-optimize", "", "run the graph as it is, without fusing operators"},
      {"--save-outputs", "DIR", "write case.json and tensors.safetensors instead of printing"},
  };
  for (Flag& flag : input_flags()) flags.push_back(std::move(flag));
  return {
      "run",
      "Runs an archive once and shows or saves what it gives.",
      "model.pt",
      "assay run model.pt --load-inputs case/\nassay run model.pt --input 'x: f32[1, 3, 224, 224]'",
      flags,
      run};
}

}  // namespace assay::cli
