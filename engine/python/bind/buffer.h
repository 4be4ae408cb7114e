#pragma once

#include "engine/core/tensor.h"
#include "engine/python/bind/python.h"

namespace assay::python {

// Arrays of other libraries, by Python's buffer protocol: neither side copies, and each keeps the
// other's bytes alive.

/// Whether the object lends its bytes as an array; scalars do not count.
bool has_buffer(PyObject* object);
/// A tensor on the bytes that the object lends. TypeError for element types that no tensor has,
/// ValueError for negative strides.
core::Tensor tensor_on_buffer(PyObject* object);
/// The element type of one of numpy's numbers.
core::DType dtype_of_numpy(PyObject* scalar);

void add_buffer(PyObject* module);

}  // namespace assay::python
