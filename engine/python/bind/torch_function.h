#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

// PyTorch's protocol by which other classes take part in calls of operators: torch.fx's proxies and
// programs' own kinds of tensors have `__torch_function__`.

/// Whether the class has it; torch.Tensor itself does not count, and classes may opt out
/// (`_disabled_torch_function_impl`).
bool has_own_torch_function(PyTypeObject* type);

/// What the first argument with its own `__torch_function__` makes of the call; null without a
/// Python error if no argument has one, null with one if it failed. Lists and tuples are looked
/// into.
PyObject* call_torch_function(PyObject* function, PyObject* const* args, size_t positional,
                              PyObject* keyword_names);

/// Switches it off, as torch._C.DisableTorchFunction does; gives what was on before.
bool set_torch_function_enabled(bool on);

void add_torch_function(PyObject* module);

}  // namespace assay::python
