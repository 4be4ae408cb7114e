#pragma once

#include "engine/core/generator.h"
#include "engine/python/bind/python.h"

namespace assay::python {

extern PyTypeObject generator_type;

bool is_generator(PyObject* object);
base::Ref<core::Generator> generator_of(PyObject* object);
/// A new torch.Generator for this generator.
PyObject* wrap_generator(const base::Ref<core::Generator>& generator);

void add_generator(PyObject* module);

}  // namespace assay::python
