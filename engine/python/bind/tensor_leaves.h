#pragma once

#include "engine/python/bind/python.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {

// Values that leave a tensor for Python: all of them pass the tracer's hooks here.

/// bool(x)
bool leave_as_bool(PyObject* tensor);
/// int(x), float(x), complex(x), x.item(), and as an index: a new reference.
PyObject* leave_as(PyObject* tensor, TraceHooks::Exit exit);
/// The elements as nested lists; a number for a 0-dimensional tensor.
PyObject* leave_as_list(PyObject* tensor);

/// The answer to a question of what the tensor is (`x.dtype`), which no trace shows; null for one
/// that hands out its memory.
PyObject* seen(PyObject* tensor, const char* what, PyObject* answer);

// Sizes, which a tracer keeps in its graph.
PyObject* shape_of(PyObject* tensor);
PyObject* size_of(PyObject* tensor, int64_t dim);
Py_ssize_t length_of(PyObject* tensor);

}  // namespace assay::python
