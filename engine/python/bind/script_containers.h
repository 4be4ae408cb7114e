#pragma once

#include <pybind11/pybind11.h>

#include "engine/interp/interpreter.h"

namespace assay::python {

/// Whether it is a list or dict that programs share with Python (torch.jit._containers).
bool is_container(pybind11::handle object);
/// What one stands for.
core::Value container_value(pybind11::handle object);

/// As interp::bind_arguments, but lists and dicts that Python shares stay the ones that they are.
core::Values bind_sharing(const ops::Schema& schema, const core::Values& args,
                          const interp::Keywords& keywords);
/// Whether Python shares any of these.
bool shares(const core::Values& args);

void add_script_containers(pybind11::module_& module);

}  // namespace assay::python
