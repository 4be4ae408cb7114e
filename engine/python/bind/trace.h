#pragma once

#include <functional>

#include "engine/core/value.h"
#include "engine/ir/function.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// torch.jit.trace's side of the engine: `_engine.Tracer`, and functions that make the classes and
/// objects of traced modules.
void add_trace(PyObject* module);

/// Runs a compiled function on complete arguments. While a trace is recorded it shows the one call,
/// and nothing of what `run` does.
core::Value call_compiled(ir::Function& function, const core::Values& args,
                          const std::function<core::Value()>& run);

/// Runs compiled code, whose results ask for gradients as PyTorch's would.
core::Value following_gradients(const std::function<core::Value()>& run);

}  // namespace assay::python
