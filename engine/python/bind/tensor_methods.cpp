// Methods of tensors that are no operators of the catalog, or that Python calls in forms of its
// own.
#include <array>

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_leaves.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"
#include "engine/trace/gradients.h"

namespace assay::python {
namespace {

using core::Value;
using Exit = TraceHooks::Exit;

/// A dimension that may be left out: None then.
PyObject* dim_argument(PyObject* args, PyObject* keywords, const char* format) {
  static const char* names[] = {"dim", nullptr};
  PyObject* dim = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, format, const_cast<char**>(names), &dim))
    throw Raised();
  return dim;
}

int64_t as_dim(PyObject* object) {
  auto number = int_from(object);
  if (!number) raise(PyExc_TypeError, "argument 'dim' must be int, not " + class_name(object));
  return number->to_int();
}

PyObject* size(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    PyObject* dim = dim_argument(args, keywords, "|O:size");
    return dim == Py_None ? shape_of(self) : size_of(self, as_dim(dim));
  });
}

PyObject* stride(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    PyObject* dim = dim_argument(args, keywords, "|O:stride");
    const core::Tensor& x = tensor_of(self);
    if (dim == Py_None) return int_tuple(x.strides());
    auto at = static_cast<size_t>(core::wrap_dim(as_dim(dim), x.dim(), false));
    return PyLong_FromLongLong(x.stride(at));
  });
}

PyObject* dim(PyObject* self, PyObject*) {
  return guarded([&] { return seen(self, "dim()", PyLong_FromLongLong(tensor_of(self).dim())); });
}

PyObject* numel(PyObject* self, PyObject*) {
  return guarded([&] {
    const core::Tensor& x = tensor_of(self);
    return trace_hooks ? trace_hooks->numel(x) : PyLong_FromLongLong(x.numel());
  });
}

PyObject* element_size(PyObject* self, PyObject*) {
  return PyLong_FromSize_t(tensor_of(self).item_size());
}

PyObject* storage_offset(PyObject* self, PyObject*) {
  return PyLong_FromLongLong(tensor_of(self).offset());
}

PyObject* data_ptr(PyObject* self, PyObject*) {
  return guarded([&] {
    const core::Tensor& x = tensor_of(self);
    seen(self, "data_ptr()", nullptr);
    bool empty = x.numel() == 0 || !x.storage()->data();
    if (!empty && x.device().type == core::DeviceType::cpu) x.storage()->expose();
    return PyLong_FromVoidPtr(empty ? nullptr : x.device_address());
  });
}

PyObject* is_contiguous(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"memory_format", nullptr};
    PyObject* format = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$O!:is_contiguous",
                                     const_cast<char**>(names), &memory_format_type, &format))
      throw Raised();
    int64_t number = format ? reinterpret_cast<TagObject*>(format)->number : 0;
    auto wanted = static_cast<core::MemoryFormat>(number);
    if (wanted == core::MemoryFormat::preserve)
      raise(PyExc_RuntimeError, "preserve memory format is unsupported by the contiguous operator");
    return seen(self, "is_contiguous()", PyBool_FromLong(tensor_of(self).is_contiguous(wanted)));
  });
}

PyObject* item(PyObject* self, PyObject*) {
  return guarded([&] { return leave_as(self, Exit::item); });
}

PyObject* tolist(PyObject* self, PyObject*) {
  return guarded([&] { return leave_as_list(self); });
}

PyObject* as_complex(PyObject* self, PyObject*) {
  return guarded([&] { return leave_as(self, Exit::complex); });
}

/// What a call of `to` asks for.
struct Conversion {
  std::optional<core::Device> device;
  std::optional<int64_t> dtype;
  bool non_blocking = false;
  bool copy = false;
  Value memory_format;
};

/// to(dtype), to(device, dtype), to(other), each with non_blocking and copy behind and
/// memory_format by keyword.
Conversion parse_to(PyObject* args, PyObject* keywords) {
  Conversion made;
  Py_ssize_t at = 0, count = PyTuple_GET_SIZE(args);
  auto keyword = [&](const char* name) -> PyObject* {
    return keywords ? PyDict_GetItemString(keywords, name) : nullptr;
  };
  auto take_dtype = [&](PyObject* object) {
    if (object == Py_None) return;
    if (!is_dtype(object))
      raise(PyExc_TypeError,
            "to(): argument 'dtype' must be torch.dtype, not " + class_name(object));
    made.dtype = reinterpret_cast<TagObject*>(object)->number;
  };
  auto take_device = [&](PyObject* object) {
    if (object == Py_None) return;
    made.device = device_from(object);
    if (!made.device) {
      raise(PyExc_TypeError, "to() received an invalid combination of arguments - got (" +
                                 class_name(object) +
                                 "), but expected a torch.device, a torch.dtype or a Tensor");
    }
  };
  auto take_other = [&](PyObject* object) {
    made.device = tensor_of(object).device();
    made.dtype = static_cast<int64_t>(tensor_of(object).dtype());
  };
  if (count > 0) {
    PyObject* first = PyTuple_GET_ITEM(args, at++);
    if (is_dtype(first)) {
      take_dtype(first);
    } else if (is_tensor(first)) {
      take_other(first);
    } else {
      take_device(first);
      bool second = at < count &&
                    (is_dtype(PyTuple_GET_ITEM(args, at)) || PyTuple_GET_ITEM(args, at) == Py_None);
      if (second) take_dtype(PyTuple_GET_ITEM(args, at++));
    }
  }
  bool* flags[] = {&made.non_blocking, &made.copy};
  const char* flag_names[] = {"non_blocking", "copy"};
  for (int i = 0; i < 2; ++i) {
    PyObject* flag = at < count ? PyTuple_GET_ITEM(args, at++) : keyword(flag_names[i]);
    if (flag) *flags[i] = checked(PyObject_IsTrue(flag)) == 1;
  }
  if (PyObject* given = keyword("device")) take_device(given);
  if (PyObject* given = keyword("dtype")) take_dtype(given);
  if (PyObject* given = keyword("other")) take_other(given);
  PyObject* format = keyword("memory_format");
  if (format && format != Py_None) {
    if (Py_TYPE(format) != &memory_format_type)
      raise(PyExc_TypeError, "to(): argument 'memory_format' must be torch.memory_format, not " +
                                 class_name(format));
    made.memory_format = reinterpret_cast<TagObject*>(format)->number;
  }
  return made;
}

/// By the overload that PyTorch calls for what is asked.
core::Tensor convert(const core::Tensor& x, const Conversion& to) {
  if (!to.device && !to.dtype && !to.copy && to.memory_format.is_none()) return x;
  bool same = !to.copy && to.memory_format.is_none() && (!to.device || *to.device == x.device()) &&
              (!to.dtype || *to.dtype == static_cast<int64_t>(x.dtype()));
  if (same && context().handlers.empty()) return x;  // As the operator would say.
  core::Values rest{to.non_blocking, to.copy, to.memory_format};
  core::Values values{x};
  std::string_view overload = "aten::to.dtype_layout";
  if (to.device && to.dtype) {
    overload = "aten::to.device";
    values.insert(values.end(), {*to.device, *to.dtype});
  } else if (to.dtype) {
    overload = "aten::to.dtype";
    values.push_back(*to.dtype);
  } else {
    values.insert(values.end(),
                  {static_cast<int64_t>(x.dtype()), 0, to.device.value_or(x.device()), Value()});
  }
  values.insert(values.end(), rest.begin(), rest.end());
  return call_operator(overload, values);
}

PyObject* to(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] { return wrap(convert(tensor_of(self), parse_to(args, keywords))); });
}

/// x.half(), x.long(): the type by the method's name.
template <core::DType dtype>
PyObject* converted(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"memory_format", nullptr};
    PyObject* format = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", const_cast<char**>(names), &format))
      throw Raised();
    Conversion wanted;
    wanted.dtype = static_cast<int64_t>(dtype);
    if (format != Py_None) wanted.memory_format = reinterpret_cast<TagObject*>(format)->number;
    return wrap(convert(tensor_of(self), wanted));
  });
}

PyObject* cpu(PyObject* self, PyObject*, PyObject*) {
  return guarded([&] {
    Conversion wanted;
    wanted.device = core::Device{};
    return wrap(convert(tensor_of(self), wanted));
  });
}

PyObject* requires_grad_in_place(PyObject* self, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"requires_grad", nullptr};
    PyObject* on = Py_True;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:requires_grad_", const_cast<char**>(names),
                                     &on))
      throw Raised();
    checked(PyObject_SetAttrString(self, "requires_grad", on));
    return Py_NewRef(self);
  });
}

/// Another tensor on the same bytes, by an operator where a trace has to know of it.
core::Tensor detached(const core::Tensor& data) {
  if (!trace_hooks) return data.alias();
  return ops::call(context(), "aten::detach", {data}).to_tensor();
}

/// Another object of a class on the same bytes: Tensor._make_subclass(class, data, requires_grad).
PyObject* make_subclass(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *type = nullptr, *data = nullptr;
    int requires_grad = 0;
    if (!PyArg_ParseTuple(args, "O!O!|p", &PyType_Type, &type, &tensor_base_type, &data,
                          &requires_grad))
      throw Raised();
    core::Tensor made = detached(tensor_of(data));
    made.impl()->requires_grad = requires_grad != 0;
    return wrap_as(reinterpret_cast<PyTypeObject*>(type), made);
  });
}

/// Variable(data, requires_grad): in a graph it is what `data` is.
PyObject* make_variable(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject* data = nullptr;
    int requires_grad = 0;
    if (!PyArg_ParseTuple(args, "O!|p", &tensor_base_type, &data, &requires_grad)) throw Raised();
    core::Tensor made = detached(tensor_of(data));
    made.impl()->requires_grad = requires_grad != 0;
    if (trace_hooks) trace_hooks->stands_for(made, tensor_of(data));
    return wrap(made);
  });
}

/// x.as_subclass(class)
PyObject* as_subclass(PyObject* self, PyObject* type) {
  return guarded([&] {
    if (!PyType_Check(type)) raise(PyExc_TypeError, "as_subclass() takes a class");
    core::Tensor made = tensor_of(self).alias();
    made.impl()->requires_grad = trace::needs_gradients(tensor_of(self));
    if (made.requires_grad() && context().grad_enabled) trace::mark_computed(made);
    return wrap_as(reinterpret_cast<PyTypeObject*>(type), made);
  });
}

PyObject* storage_key(PyObject* self, PyObject*) {
  return PyLong_FromVoidPtr(tensor_of(self).storage().get());
}

/// All bytes that the tensor shares with its views, as a tensor of bytes.
PyObject* storage_bytes(PyObject* self, PyObject*) {
  return guarded([&] {
    const core::StorageRef& storage = tensor_of(self).storage();
    auto size = static_cast<int64_t>(storage->nbytes());
    return wrap(core::Tensor::view_of(storage, 0, std::array{size}, std::array<int64_t, 1>{1},
                                      core::DType::uint8));
  });
}

PyMethodDef entry(const char* name, PyObject* (*with_keywords)(PyObject*, PyObject*, PyObject*)) {
  return {name, as_function(with_keywords), METH_VARARGS | METH_KEYWORDS, nullptr};
}

}  // namespace

PyMethodDef tensor_methods[] = {
    entry("size", size),
    entry("stride", stride),
    {"dim", dim, METH_NOARGS, nullptr},
    {"ndimension", dim, METH_NOARGS, nullptr},
    {"numel", numel, METH_NOARGS, nullptr},
    {"nelement", numel, METH_NOARGS, nullptr},
    {"element_size", element_size, METH_NOARGS, nullptr},
    {"storage_offset", storage_offset, METH_NOARGS, nullptr},
    {"data_ptr", data_ptr, METH_NOARGS, nullptr},
    entry("is_contiguous", is_contiguous),
    {"item", item, METH_NOARGS, nullptr},
    {"tolist", tolist, METH_NOARGS, nullptr},
    {"__complex__", as_complex, METH_NOARGS, nullptr},
    entry("to", to),
    entry("cpu", cpu),
    entry("requires_grad_", requires_grad_in_place),
    entry("bool", converted<core::DType::boolean>),
    entry("bfloat16", converted<core::DType::bfloat16>),
    entry("byte", converted<core::DType::uint8>),
    entry("char", converted<core::DType::int8>),
    entry("short", converted<core::DType::int16>),
    entry("int", converted<core::DType::int32>),
    entry("long", converted<core::DType::int64>),
    entry("half", converted<core::DType::float16>),
    entry("float", converted<core::DType::float32>),
    entry("double", converted<core::DType::float64>),
    entry("cfloat", converted<core::DType::complex64>),
    entry("cdouble", converted<core::DType::complex128>),
    {"_make_subclass", make_subclass, METH_VARARGS | METH_STATIC, nullptr},
    {"_make_variable", make_variable, METH_VARARGS | METH_STATIC, nullptr},
    {"as_subclass", as_subclass, METH_O, nullptr},
    {"_storage_key", storage_key, METH_NOARGS, "A number that views of the same bytes share."},
    {"_storage_bytes", storage_bytes, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyObject* iterate_tensor(PyObject* self) {
  return guarded([&] {
    if (tensor_of(self).dim() == 0) raise(PyExc_TypeError, "iteration over a 0-d tensor");
    if (trace_hooks) trace_hooks->iterates(tensor_of(self));
    InsideTorch inside;
    Owned parts = checked(PyObject_CallMethod(self, "unbind", "i", 0));
    return PyObject_GetIter(parts.get());
  });
}

}  // namespace assay::python
