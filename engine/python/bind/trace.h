#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// torch.jit.trace's side of the engine: `_engine.Tracer`, and functions that make the classes and
/// objects of traced modules.
void add_trace(PyObject* module);

}  // namespace assay::python
