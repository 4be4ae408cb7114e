#pragma once

#include <Python.h>

namespace assay::python {

/// `plain_attributes` and `changed_modules`: what modules keep beside their registries, now and
/// as it was.
void add_plain_attributes(PyObject* module);

}  // namespace assay::python
