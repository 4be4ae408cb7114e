#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// to_dlpack and from_dlpack: tensors in the capsules of the DLPack standard.
void add_dlpack(PyObject* module);

}  // namespace assay::python
