#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// torch.jit.script's side of the engine: `_engine.ScriptFunction`, `ModuleType` and functions that
/// compile pieces of Python files.
void add_script(PyObject* module);

}  // namespace assay::python
