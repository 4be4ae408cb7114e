#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// zip_bytes: archives as PyTorch writes them, for torch.save.
void add_files(PyObject* module);

}  // namespace assay::python
