#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/flat_map.h"
#include "engine/core/value.h"

namespace assay::verify {

/// How a run ended. Everything but `returned` leaves `Observation::outputs` as None.
enum class Ending {
  returned,       ///< The model gave outputs.
  raised,         ///< The model raised; the runner is fine.
  died,           ///< The process that ran the model ended: a crash, `os._exit`.
  timed_out,      ///< No answer within the time allowed; the process was killed.
  exhausted,      ///< Time, steps or memory ran out, maybe of the whole machine.
  invalid_reply,  ///< The process answered something that is no valid answer.
  not_run,  ///< The runner could not start this case (no such device, an input it cannot hold).
};

/// A place in the user's program.
struct SourceLocation {
  std::string file;  ///< Empty where unknown.
  int line = 0;
  std::string function;
};

/// Why a run gave no outputs.
struct Failure {
  std::string type;     ///< Exception class ("RuntimeError"), or the name of the Ending.
  std::string message;  ///< The whole text; for a dead process with its last lines on stderr.
  std::string phase;  ///< What was being done: import, build, example, prepare, run, export, save.
  SourceLocation place;  ///< Innermost line of the user's code; `file` empty where unknown.
  std::vector<SourceLocation> frames;  ///< Outermost first, at most 20.
};

/// A warning during a run or an export, at the user's line that led to it.
struct Warning {
  std::string category;  ///< "TracerWarning".
  std::string message;
  SourceLocation place;
};

/// A value that left the graph while it was traced, and so became a constant of it.
struct Escape {
  /// "bool", "int", "index", "float", "item", "dim", "numpy"; "data" and the like for memory that
  /// is handed out, "is_tracing" for a question, "random" for what Python's or NumPy's generator
  /// drew, "state" for what was assigned to a module's attribute.
  std::string kind;
  std::optional<core::Scalar> value;       ///< What it was, where it was a number.
  SourceLocation place;                    ///< The user's line that asked for it.
  std::vector<core::Scalar> numbers = {};  ///< What it was, where it was a few numbers.
};

/// Module state that differs after a call from what it was when the model was loaded.
struct StateChange {
  enum class Kind { parameter, buffer, attribute, global };
  std::string path;  ///< As in `named_buffers()`: "layers.0.running_mean".
  Kind kind = Kind::attribute;
  bool removed = false;
  core::Value value;  ///< The new value; None when removed.
};

/// What a run did on devices, counted per operator call.
struct DeviceUsage {
  base::FlatMap<int64_t> operators;  ///< "aten.add.Tensor" -> calls.
  base::FlatMap<int64_t> devices;    ///< "cuda:0" -> tensors made there.
  int64_t copies = 0;                ///< Copies from one device to another.
  int64_t syncs = 0;                 ///< Element reads that make the host wait (`item`).
};

/// What one run of one case gave, from whichever runner: the engine, a host, a recording. Tensors
/// keep their strides, offsets and device, and share storages as they did in the run, across
/// outputs, arguments and state.
///
/// Values of Python that TorchScript has no value for are Objects: of a class named like the Python
/// class, with a dataclass's fields as attributes, and without attributes for anything else.
/// dtypes, layouts and memory formats are ints, as in TorchScript.
struct Observation {
  Ending ending = Ending::not_run;
  core::Value outputs;
  std::optional<Failure> failure;  ///< Set exactly when `ending` is not `returned`.

  core::Values args_after;
  std::vector<std::pair<std::string, core::Value>> kwargs_after;
  bool inputs_changed = false;  ///< An input's elements, shape, strides or dtype changed.

  std::vector<StateChange> state;
  /// Groups of two or more places whose tensors share memory, each sorted, in sorted order:
  /// "args[0]", "kwargs['m']", "output[1]['k']", "state:bn.running_mean".
  std::vector<std::vector<std::string>> aliases;

  std::vector<Warning> warnings;
  std::string printed;  ///< What the model printed, its beginning.
  double wall_seconds = 0;
  std::optional<DeviceUsage>
      device_usage;  ///< Only where asked for and where the runner can count.
};

}  // namespace assay::verify
