#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/value.h"
#include "engine/interp/code.h"
#include "engine/interp/limits.h"
#include "engine/interp/lower.h"
#include "engine/ir/unit.h"
#include "engine/ops/context.h"

namespace assay::interp {

class Machine;

/// Keyword arguments of a call.
using Keywords = std::vector<std::pair<std::string, core::Value>>;

/// Runs functions of a unit. Compiled code is kept per function and made anew when the function's
/// graph was changed (ir::Function::version). Not thread-safe; unit and context must live longer.
///
/// Errors of a run are base::Error with one context line per function that was active, innermost
/// first (`File "net.py", line 12, in forward: return self.fc(x)`), and the place of the innermost
/// one. What the program raised carries the class that it named (Error::raised_class).
class Interpreter {
 public:
  Interpreter(ir::Unit& unit, ops::Context& context);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void set_limits(const Limits& limits);
  /// Calls a function of the program outside, which the key names; gives back a value of the type.
  using Outside = std::function<core::Value(const std::string& key, const core::Values& args,
                                            const core::TypePtr& result)>;
  /// What `prim::PythonOp` runs; an input error without one.
  void set_outside(Outside outside);
  /// Where print() goes: called with each line, its end included. Nowhere without a sink.
  void set_print(std::function<void(std::string_view)> sink);
  /// Where warnings go, with the place of warnings.warn: once for each such place in a run, as in
  /// PyTorch. Nowhere without a sink.
  using Warn = std::function<void(const std::string& message, const base::SourceRange& range)>;
  void set_warn(Warn sink);
  /// Forgets all compiled code.
  void set_options(const LowerOptions& options);

  /// Runs the function on complete arguments of the right types (`self` first for a method).
  core::Value run(const ir::Function& function, core::Values args);

  /// Calls as Python would: converts the arguments to the parameters' types and fills in defaults
  /// (interp/arguments.h). Input error in PyTorch's words if they do not fit.
  core::Value call(const ir::Function& function, core::Values args, const Keywords& keywords = {});
  /// Calls a method of an object of a class, found by name.
  core::Value call_method(const core::ObjectRef& object, std::string_view method, core::Values args,
                          const Keywords& keywords = {});

  /// Forgets the code of a function that is about to go.
  void forget(const ir::Function& function);

  /// The code that `run` would run.
  std::shared_ptr<const Code> code_of(const ir::Function& function);

 private:
  ir::Unit& unit_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace assay::interp
