#include <fmt/core.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "ci/cli/case_folder.h"
#include "ci/cli/files.h"
#include "ci/cli/inputs.h"
#include "ci/cli/methods.h"
#include "ci/cli/subject.h"
#include "ci/cli/verb.h"
#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "verify/cases/materialize.h"
#include "verify/findings/gate.h"

namespace assay::cli {
namespace {

/// The names of a method's arguments, without `self`.
std::vector<std::string> parameters_of(api::Module& module, const std::string& method) {
  std::vector<std::string> names;
  const auto& all = module.schema(method).arguments;
  for (size_t i = 1; i < all.size(); ++i) names.push_back(all[i].name);
  return names;
}

verify::Call drawn_call(api::Module& module, const std::string& method, const Arguments& arguments,
                        std::optional<core::Device> device) {
  const std::string& path = arguments.operands()[0];
  bool no_inputs = true;
  for (const Flag& flag : spec_flags()) no_inputs = no_inputs && !arguments.has(flag.name);
  const auto& parameters = module.schema(method).arguments;
  bool needs_inputs = parameters.size() > 1 && !parameters[1].default_value;
  base::check(!(no_inputs && needs_inputs), "what are the inputs of ", path,
              "? Say so with --input 'x: f32[1, 3, 224, 224]' (assay help spec), --spec or "
              "--load-inputs");
  return drawn_inputs(arguments, device);
}

/// The call that is asked for: a saved one, else one of drawn inputs.
SavedCall call_of(api::Module& module, const Arguments& arguments,
                  std::optional<core::Device> device) {
  SavedCall call;
  auto saved = arguments.value("--load-inputs");
  if (saved) call = load_call(*saved);
  if (auto method = arguments.value("--method")) call.method = method;
  if (!call.method) call.method = "forward";
  if (arguments.has("--seed") || !call.seed) {
    call.seed = seed_of(arguments);
  }
  check_method(module, *call.method, arguments.operands()[0]);
  if (saved && is_npz(*saved)) place_arrays(call.call, parameters_of(module, *call.method), *saved);
  if (!saved) call.call = drawn_call(module, *call.method, arguments, device);
  if (saved && device) move_to(*device, call.call);
  return call;
}

core::Value outputs_of(api::Module& module, const SavedCall& call, const std::string& path) {
  verify::Call passed = verify::deep_copy(call.call);  // What is saved is as it was given.
  try {
    return module.call(*call.method, passed.args, passed.kwargs);
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

int run_run(const Arguments& arguments) {
  const std::string& path =
      arguments.only_operand("one archive", "assay run model.pt --load-inputs case/");
  refuse_python_model(path, "run");
  auto save_to = arguments.value("--save-outputs");
  if (save_to) is_npz(*save_to) ? check_file_writable(*save_to) : check_folder_writable(*save_to);
  api::EngineOptions options;
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
  api::Module module = api::load(engine, path, load_options);
  auto mode = arguments.value("--mode");
  base::check(!mode || *mode == "eval" || *mode == "train", "--mode is eval or train");
  if (mode) module.train(*mode == "train");
  SavedCall call = call_of(module, arguments, load_options.map_location);
  engine.set_seed(*call.seed);
  core::Value outputs = outputs_of(module, call, path);
  if (save_to) {
    save_call(*save_to, call, outputs);
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
      {"--save-outputs", "PATH", "write a case folder with the call and its result, or a .npz"},
  };
  flags.push_back(
      {"--load-inputs", "PATH", "a case folder (case.json, tensors.safetensors) or a .npz"});
  return {
      "run",
      "Runs an archive once and shows or saves what it gives.",
      "model.pt",
      "assay run model.pt --load-inputs case/\nassay run model.pt --input 'x: f32[1, 3, 224, 224]'",
      flags,
      true,
      run_run};
}

}  // namespace assay::cli
