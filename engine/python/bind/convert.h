#pragma once

#include <optional>

#include "engine/core/value.h"
#include "engine/ops/schema.h"
#include "engine/python/bind/python.h"

namespace assay::python {

// Values between Python and the engine. Every function of the extension that takes or gives values
// goes by these.

/// A number: bool, int, float, complex, one of numpy's, or a 0-dimensional tensor without gradient.
/// Nothing for other objects.
std::optional<core::Value> number_from(PyObject* object);
/// An int that is no bool, or what stands for one.
std::optional<core::Value> int_from(PyObject* object);

/// The object as a value of this type; nothing if it does not fit. A type of Any (or null) takes
/// what the object is: tensors, numbers, texts, lists, tuples, dicts, None, devices, dtypes (their
/// numbers), generators, script objects.
std::optional<core::Value> value_from(PyObject* object, const core::TypePtr& wanted);
/// As value_from; raises a TypeError where it does not fit.
core::Value to_value(PyObject* object, const core::TypePtr& wanted = nullptr);

/// A new reference. Lists and tuples of Python's own are made anew; named tuples become tuples with
/// attributes; objects of classes become script objects.
PyObject* from_value(const core::Value& value);

/// How other files of the extension let objects of their own stand for values: each is asked in
/// turn.
struct ValueBridge {
  /// Nothing if the object is none of its own.
  std::optional<core::Value> (*to)(PyObject* object, const core::TypePtr& wanted) = nullptr;
  /// Null, without a Python error, if the value is none of its own.
  PyObject* (*from)(const core::Value& value) = nullptr;
};
void add_bridge(const ValueBridge& bridge);

/// torch.Size of these numbers: a new reference.
PyObject* make_size(core::DimSpan sizes);
/// A new tuple of ints.
PyObject* int_tuple(core::DimSpan numbers);
/// A list or tuple of ints, or one int; an error of kind TypeError else.
core::Dims dims_from(PyObject* object);

void add_convert(PyObject* module);

}  // namespace assay::python
