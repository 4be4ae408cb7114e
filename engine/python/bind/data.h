#pragma once

#include <optional>

#include "engine/core/tensor.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// A new cpu tensor with the elements of nested lists or tuples, of a number, or of an array
/// (anything with a buffer), converted to `dtype`; without one, to what PyTorch infers.
core::Tensor tensor_from_data(PyObject* data, std::optional<core::DType> dtype);

void add_data(PyObject* module);

}  // namespace assay::python
