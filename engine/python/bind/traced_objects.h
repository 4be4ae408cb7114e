#pragma once

#include <pybind11/pybind11.h>

namespace assay::python {

/// `traced_object` and `module_paths`: what a trace needs to know of a module and its submodules
/// before it starts, in one walk each, since a campaign traces often.
void add_traced_objects(pybind11::module_& module);

}  // namespace assay::python
