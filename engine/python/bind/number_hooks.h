#pragma once

#include "engine/python/bind/python.h"

namespace assay::python {

/// Tells the two classes of numbers that remember where they came from (torch/jit/_numbers.py).
void set_remembering(PyObject* whole, PyObject* real);
/// Whether the object is such a number.
bool remembers(PyObject* object);

/// From now on (or no more) TraceHooks::computed hears what `int`, `float`, `range` and the
/// functions of `math` give for such numbers, and the conversions for tensors. Called by whatever
/// name, they stay the objects that they are: it is their entries that change.
void hear_numbers(bool on);

}  // namespace assay::python
