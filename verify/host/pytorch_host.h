#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/core/value.h"
#include "verify/host/frame.h"
#include "verify/host/process.h"
#include "verify/host/taken_arguments.h"
#include "verify/observation/gradient_flow.h"
#include "verify/observation/observation.h"
#include "verify/observation/omission.h"

namespace assay::verify::host {

class TreeWriter;

struct HostOptions {
  std::string python = "python3";  ///< The user's interpreter, with the user's torch.
  std::string directory;           ///< To run in; model names are relative to it. Empty: this one.
  int threads = 1;                 ///< OMP_NUM_THREADS.
  double start_seconds = 120;      ///< For starting the interpreter and importing torch.
  double call_seconds = 60;        ///< For one run or export.
  double load_seconds = 120;       ///< For importing and building a model.
  /// What a trace by the engine may record before it is given up; 0: its own limit.
  size_t most_nodes = 0;
  /// Whether nobody wants answers any more: calls end soon, and no process is started.
  std::function<bool()> interrupted = {};
  /// Folder with the engine's Python package: models run with its torch in place of the
  /// interpreter's. Empty: with the interpreter's.
  std::string engine_package = {};
};

/// The host itself.
struct HostFacts {
  std::string torch, python, executable, default_dtype;
  std::vector<std::string> devices;  ///< "cpu", "meta", "cuda:0"...
  int64_t threads = 0;
  bool engine = false;  ///< The torch is the engine's own.
};

/// The interpreter is one, but has no torch that can be used. Kind: input.
class WithoutTorch : public base::Error {
 public:
  explicit WithoutTorch(const std::string& message)
      : base::Error(base::ErrorKind::input, message) {}
};

struct TensorFacts {
  std::string name, dtype, device;
  std::vector<int64_t> shape;
};

struct ArgumentFacts {
  std::string name;
  std::string kind;  ///< positional_or_keyword, var_positional, keyword_only, ...
  std::string annotation;
  bool optional = false;
};

struct ModelFacts {
  std::string kind;  ///< module, script, function
  std::string class_name;
  std::string file;  ///< Where it is written; empty where unknown.
  bool training = false;
  std::vector<ArgumentFacts> signature;
  std::vector<TensorFacts> parameters, buffers;
  std::vector<int64_t> weight_dims;  ///< Every size of a parameter or buffer, once, ascending.
};

struct Loaded {
  ModelFacts model;
  std::optional<core::Values> example;  ///< What the example function gave.
};

/// One call of the model. Its state is first put back to what it was after loading (`keep` leaves
/// it), every generator gets the seed, and the arguments are copies.
struct CallRequest {
  core::Values args;
  std::vector<std::pair<std::string, core::Value>> kwargs;
  std::string method = "forward";
  std::string mode = "eval";  ///< eval, train, or as_is
  bool grad = false;
  uint64_t seed = 0;
  std::string device = "cpu";  ///< Of the model and of arguments that name none.
  std::string dtype;           ///< To convert the model to; empty: none.
  double scale = 0;            ///< To multiply the parameters by before the calls; 0: none.
  std::string autocast;        ///< Dtype of an autocast region around the call; empty: none.
  bool of_archive = false;     ///< Of the archive beside the model.
  bool keep = false;
  bool device_usage = false;            ///< Count operators and devices (slower; where torch can).
  std::vector<Omission> omitted;        ///< Lines of the model without effect (not in exports).
  std::optional<TakenArguments> taken;  ///< Pass these only, by position; nothing: all of them.
};

struct ExportRequest : CallRequest {
  enum class Kind { trace, script, fx };  ///< fx: torch.fx's graph of the model, scripted.
  Kind kind = Kind::trace;
  bool strict = true;  ///< PyTorch's tracing option.
  /// Python's and NumPy's generators give what they give in a run of the same call, and not other
  /// numbers than in any export and call before.
  bool draws_as_runs = false;
};

struct Export {
  Ending ending = Ending::not_run;
  std::optional<Failure> failure;  ///< Set exactly when `ending` is not `returned`.
  /// Bytes of the archive. An export under the device `meta` holds zeros for its tensors: only its
  /// graph says something.
  std::string archive;
  std::optional<TakenArguments> taken;  ///< What it takes, where that is not all of the arguments.
  std::vector<Warning> warnings;        ///< The tracer's, at the user's lines.
  std::vector<Escape> escapes;          ///< In the order in which tracing met them.
  std::vector<StateChange> state;       ///< What exporting changed in the Python model.
  std::string printed;
  double wall_seconds = 0;
};

/// PyTorch, or the engine under PyTorch's names, in a child process. What the model does there
/// (raise, hang, crash, print, exit) is an observation; after a death the next request goes to a
/// new process, in which the model is loaded again. Where one has died others will: from then on a
/// spare process starts beside it, so that the next death need not wait for the interpreter and
/// torch.
class PytorchHost {
 public:
  /// Starts the interpreter. Input error if there is none or if it is no Python; WithoutTorch if it
  /// has no torch.
  explicit PytorchHost(HostOptions options);
  ~PytorchHost();
  PytorchHost(const PytorchHost&) = delete;
  PytorchHost& operator=(const PytorchHost&) = delete;

  const HostFacts& facts() const { return facts_; }
  /// "PyTorch 1.13.1 (/usr/bin/python3)", "assay's engine (/usr/bin/python3)"
  std::string name() const;
  const HostOptions& options() const { return options_; }
  /// How long one run or export may take from now on.
  void set_call_seconds(double seconds) { options_.call_seconds = seconds; }
  /// How much a trace by the engine may record from now on.
  void set_most_nodes(size_t count) { options_.most_nodes = count; }

  /// Loads `file.py:name`, `package.module:name` or an archive's path (`.pt`). The name means a
  /// module class, a module, a function that returns either, or a function of tensors. What the
  /// class or the function is called with stands behind the name as Python literals,
  /// `model.py:Net(8, act="relu")`, or in `build_args`, a JSON list or object; without either it is
  /// called with nothing if it can be, and a function that cannot is the model itself. `example`,
  /// where given, names a function that returns the tuple of inputs, in the same way. Input error,
  /// with the user's line, if that fails.
  Loaded load(const std::string& model, const std::string& example = {}, uint64_t seed = 0,
              const std::string& build_args = {});

  /// Loads an archive beside the model, for requests that are of the archive, in place of the one
  /// that it had. Input error if PyTorch cannot load it.
  void load_archive(const std::string& path);
  /// Its path; empty where there is none.
  std::string archive() const { return archive_ ? archive_->model : ""; }
  /// Its file goes away: a process that is started anew does without.
  void forget_archive() { archive_.reset(); }

  /// Never throws for what the model does. What the request is of must be loaded.
  Observation run(const CallRequest& request);
  /// With the floating inputs asking for gradients.
  GradientFlow gradient_flow(const CallRequest& request, const FlowWish& wish);
  Export export_model(const ExportRequest& request);
  /// SHA-256, in hexadecimal, of each parameter's elements in row-major order, by name. Input error
  /// if the process is lost.
  std::map<std::string, std::string> weights();
  /// Puts the model's state back to what it was after loading.
  void reset();

  /// Starts that followed a death.
  int restarts() const { return restarts_; }

 private:
  struct Name {
    std::string model, example;
    uint64_t seed;
    std::string build_args;
  };

  std::unique_ptr<Process> launch() const;
  /// Puts a process into service once it has greeted; input error, with the remedy, if it does not.
  void employ(std::unique_ptr<Process> started);
  bool employ_spare();
  Loaded load_again(const Name& name, bool archive = false);
  void ensure_running();
  Frame exchange(const nlohmann::json& request, const TreeWriter* writer, double seconds);
  /// Runs `body`; a process that is lost or replies nonsense becomes a Failure with its Ending.
  template <typename F>
  std::pair<Ending, Failure> guarded(const char* phase, F body);

  HostOptions options_;
  HostFacts facts_;
  std::unique_ptr<Process> process_, spare_;
  std::optional<Name> loaded_, archive_;
  int restarts_ = 0;
};

/// "ValueError: no such thing (model.py:12 in build)"
std::string failure_text(const Failure& failure);

/// The program that runs in the interpreter, as `python -c` takes it.
std::string host_program();

}  // namespace assay::verify::host
