#pragma once

#include "engine/python/bind/script_object.h"

namespace assay::python {

/// The module with its classes and functions in the program of this process, where what is compiled
/// can call them: a module that was loaded from an archive has a program of its own. Tensors are
/// shared with the given one, which is to be used no more.
ScriptObject adopted(ScriptObject module);

}  // namespace assay::python
