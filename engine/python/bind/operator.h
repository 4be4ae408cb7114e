#pragma once

#include <span>

#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// torch.add, Tensor.add: all overloads of an operator's name, called by PyTorch's rules for Python
/// arguments. A function takes the tensor as `input`; a method is bound to it.
extern PyTypeObject operator_type;

/// A new callable for the operators `aten::NAME`.
PyObject* make_operator(std::string_view name, bool method);
/// Calls the operator with these positional arguments, the first of which is `self`; for Python's
/// own operators. NotImplemented where no overload takes them.
PyObject* call_or_decline(PyObject* callable, std::span<PyObject* const> arguments);

/// Every call of an operator that Python code asks for: what it gives asks for gradients as it
/// would in PyTorch. Arguments that are left out have their defaults.
ops::Results call_operator(const ops::Operator& op, std::span<const core::Value> args);
core::Tensor call_operator(std::string_view qualified_name, const core::Values& args);

/// The results of a call as Python gets them: nothing, one object, a tuple, or a tuple with names
/// (torch.return_types). Null with a Python error set.
PyObject* wrap_results(const ops::Operator& op, const ops::Results& results);

/// torch.return_types.NAME, the class of an operator's named results; None if it has none.
PyObject* find_return_type(std::string_view name);

void add_operators(PyObject* module);

}  // namespace assay::python
