#pragma once

#include <Python.h>

namespace assay::python {

/// `plain_attributes` and `has_attributes`: what a module keeps beside its registries, now and as it was.
void add_plain_attributes(PyObject* module);

}  // namespace assay::python
