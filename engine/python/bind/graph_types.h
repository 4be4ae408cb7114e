#pragma once

#include <pybind11/pybind11.h>

#include "engine/core/type.h"

namespace assay::python {

/// A type of a program as Python programs see it: `_engine.Type`.
pybind11::object type_object(const core::TypePtr& type);

void add_graph_types(pybind11::module_& module);

}  // namespace assay::python
