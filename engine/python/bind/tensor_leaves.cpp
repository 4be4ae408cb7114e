#include "engine/python/bind/tensor_leaves.h"

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {

using core::Value;
using Exit = TraceHooks::Exit;

namespace {

/// What Python gets unless a tracer says otherwise.
PyObject* told(const core::Tensor& x, Exit exit, PyObject* value) {
  if (!trace_hooks) return value;
  Owned kept(value);
  return checked(trace_hooks->leaves(x, exit, value)).release();
}

Value number_of(const core::Tensor& x) {
  if (x.numel() != 1)
    raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
  // Where nobody listens the call would do no more than this.
  bool direct = context().handlers.empty() && x.device().type == core::DeviceType::cpu;
  return direct ? Value(core::first_element(x)) : ops::call(context(), "aten::item", {x});
}

PyObject* plain(const Value& number, Exit exit) {
  core::Scalar scalar = number.to_scalar();
  switch (exit) {
    case Exit::integer:
      if (scalar.is_float()) return checked(PyLong_FromDouble(scalar.to_double())).release();
      if (scalar.is_complex())
        raise(PyExc_RuntimeError, "value cannot be converted to type int64_t without overflow");
      return PyLong_FromLongLong(scalar.to_int());
    case Exit::floating:
      if (scalar.is_complex() && scalar.to_complex().imag() != 0)
        raise(PyExc_RuntimeError, "value cannot be converted to type double without overflow");
      return checked(PyFloat_FromDouble(scalar.to_double())).release();
    case Exit::complex:
      return PyComplex_FromDoubles(scalar.to_complex().real(), scalar.to_complex().imag());
    default:
      return from_value(number);
  }
}

PyObject* nested(const std::vector<core::Scalar>& items, core::DimSpan sizes, size_t& at) {
  if (sizes.empty()) return from_value(Value(items[at++]));
  Owned list = checked(PyList_New(sizes[0]));
  for (int64_t i = 0; i < sizes[0]; ++i)
    PyList_SET_ITEM(list.get(), i, nested(items, sizes.subspan(1), at));
  return list.release();
}

}  // namespace

bool leave_as_bool(PyObject* tensor) {
  const core::Tensor& x = tensor_of(tensor);
  if (x.numel() != 1) {
    raise(PyExc_RuntimeError,
          x.numel() == 0 ? "Boolean value of Tensor with no values is ambiguous"
                         : "Boolean value of Tensor with more than one value is ambiguous");
  }
  bool value = number_of(x).to_scalar().to_bool();
  if (!trace_hooks) return value;
  Owned answer(told(x, Exit::boolean, PyBool_FromLong(value)));
  return checked(PyObject_IsTrue(answer.get())) == 1;
}

PyObject* leave_as(PyObject* tensor, Exit exit) {
  const core::Tensor& x = tensor_of(tensor);
  if (exit == Exit::index) {
    bool fits = x.numel() == 1 && core::is_integral(x.dtype(), true);
    if (!fits) {
      raise(PyExc_TypeError,
            "only integer tensors of a single element can be converted to an index");
    }
  }
  return told(x, exit, plain(number_of(x), exit == Exit::index ? Exit::integer : exit));
}

PyObject* leave_as_list(PyObject* tensor) {
  core::Tensor x = tensor_of(tensor);
  // As in PyTorch, whose traces count both calls.
  if (trace_hooks) {
    for (const char* step : {"aten::resolve_conj", "aten::resolve_neg"}) {
      x = ops::call(context(), step, {x}).to_tensor();
    }
  }
  context().handlers.synchronized(x.device());
  std::vector<core::Scalar> items = core::elements(x);
  size_t at = 0;
  return told(x, Exit::item, nested(items, x.sizes(), at));
}

PyObject* seen(PyObject* tensor, const char* what, PyObject* answer) {
  if (trace_hooks) trace_hooks->looks(tensor_of(tensor), what, answer);
  return answer;
}

PyObject* shape_of(PyObject* tensor) {
  const core::Tensor& x = tensor_of(tensor);
  return trace_hooks ? trace_hooks->sizes(x) : make_size(x.sizes());
}

PyObject* size_of(PyObject* tensor, int64_t dim) {
  const core::Tensor& x = tensor_of(tensor);
  int64_t at = core::wrap_dim(dim, x.dim(), false);
  if (trace_hooks) return trace_hooks->size(x, dim);
  return PyLong_FromLongLong(x.size(static_cast<size_t>(at)));
}

Py_ssize_t length_of(PyObject* tensor) {
  const core::Tensor& x = tensor_of(tensor);
  if (x.dim() == 0) raise(PyExc_TypeError, "len() of a 0-d tensor");
  if (!trace_hooks) return x.size(0);
  Owned answer(told(x, Exit::length, PyLong_FromLongLong(x.size(0))));
  return PyLong_AsSsize_t(answer.get());
}

}  // namespace assay::python
