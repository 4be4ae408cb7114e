#pragma once

#include <Python.h>

namespace assay::python {

/// `Exchange`, which puts other functions in the place of those of Python modules, and back;
/// `changed_dicts`: which of many namespaces changed, without a look at their names.
void add_exchange(PyObject* module);

}  // namespace assay::python
