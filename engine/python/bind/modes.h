#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// What calls depend on beside their arguments, as functions: gradient mode, default dtype,
/// autocast, the seed, threads.
void add_modes(PyObject* module);

}  // namespace assay::python
