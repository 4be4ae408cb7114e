// Attributes of tensors: x.shape, x.dtype, x.grad.
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_leaves.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/trace/gradients.h"

namespace assay::python {
namespace {

using core::DeviceType;

PyObject* shape(PyObject* self, void*) {
  return guarded([&] { return shape_of(self); });
}

PyObject* dtype(PyObject* self, void*) {
  return guarded([&] {
    auto number = static_cast<int64_t>(tensor_of(self).dtype());
    return seen(self, "dtype", Py_NewRef(tag_of(TagKind::dtype, number)));
  });
}

PyObject* device(PyObject* self, void*) {
  return guarded([&] { return seen(self, "device", wrap_device(tensor_of(self).device())); });
}

PyObject* layout(PyObject*, void*) {
  return guarded([&] { return Py_NewRef(tag_of(TagKind::layout, 0)); });
}

PyObject* ndim(PyObject* self, void*) {
  return guarded([&] { return seen(self, "dim()", PyLong_FromLongLong(tensor_of(self).dim())); });
}

PyObject* item_size(PyObject* self, void*) {
  return PyLong_FromSize_t(tensor_of(self).item_size());
}

PyObject* nbytes(PyObject* self, void*) {
  const core::Tensor& x = tensor_of(self);
  return PyLong_FromLongLong(x.numel() * static_cast<int64_t>(x.item_size()));
}

/// What an operator gives for the tensor.
PyObject* by_operator(PyObject* self, void* name) {
  return guarded(
      [&] { return wrap(call_operator(static_cast<const char*>(name), {tensor_of(self)})); });
}

/// The same bytes, of which nobody keeps track: a trace neither.
PyObject* data(PyObject* self, void*) {
  return guarded([&] {
    seen(self, "data", nullptr);
    core::Tensor same = tensor_of(self).alias();
    same.impl()->requires_grad = false;
    return wrap(same);
  });
}

int set_data(PyObject* self, PyObject* value, void*) {
  return guarded(
      [&] {
        if (!value || !is_tensor(value))
          raise(PyExc_TypeError, "Variable data has to be a tensor, but got " +
                                     (value ? class_name(value) : std::string("nothing")));
        ops::call(context(), "aten::set_data", {tensor_of(self), tensor_of(value)});
        return 0;
      },
      -1);
}

int set_part(PyObject* self, PyObject* value, void* name) {
  return guarded(
      [&] {
        Owned part = checked(by_operator(self, name));
        Owned copied = checked(PyObject_CallMethod(part.get(), "copy_", "O", value));
        return 0;
      },
      -1);
}

PyObject* requires_grad(PyObject* self, void*) {
  return guarded([&] {
    return seen(self, "requires_grad", PyBool_FromLong(trace::needs_gradients(tensor_of(self))));
  });
}

int set_requires_grad(PyObject* self, PyObject* value, void*) {
  return guarded(
      [&] {
        if (!value || !PyBool_Check(value)) raise(PyExc_TypeError, "requires_grad must be a bool");
        const core::Tensor& x = tensor_of(self);
        bool fits = core::is_differentiable(x.dtype());
        if (value == Py_True && !fits) {
          raise(PyExc_RuntimeError,
                "only Tensors of floating point and complex dtype can require gradients");
        }
        if (value == Py_False && trace::is_computed(x)) {
          raise(PyExc_RuntimeError,
                "requires_grad can be switched off for leaf tensors only; this one was computed. "
                "Go on with its detach().");
        }
        x.impl()->requires_grad = value == Py_True;
        return 0;
      },
      -1);
}

PyObject* grad(PyObject* self, void*) {
  PyObject* kept = reinterpret_cast<TensorObject*>(self)->grad;
  return Py_NewRef(kept ? kept : Py_None);
}

int set_grad(PyObject* self, PyObject* value, void*) {
  return guarded(
      [&] {
        bool none = !value || value == Py_None;
        if (!none && !is_tensor(value)) {
          raise(PyExc_TypeError,
                "assigned grad expected to be a Tensor or None but got " + class_name(value));
        }
        if (!none && tensor_of(value).sizes() != tensor_of(self).sizes())
          raise(PyExc_RuntimeError, "assigned grad has data of a different size");
        PyObject*& kept = reinterpret_cast<TensorObject*>(self)->grad;
        PyObject* before = kept;
        kept = none ? nullptr : Py_NewRef(value);
        Py_XDECREF(before);
        return 0;
      },
      -1);
}

PyObject* is_leaf(PyObject* self, void*) {
  const core::Tensor& x = tensor_of(self);
  return PyBool_FromLong(!trace::is_computed(x) || !trace::needs_gradients(x));
}

PyObject* none(PyObject*, void*) { Py_RETURN_NONE; }
PyObject* no(PyObject*, void*) { Py_RETURN_FALSE; }
PyObject* zero(PyObject*, void*) { return PyLong_FromLong(0); }

PyObject* version(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(tensor_of(self).version());
}

PyObject* names(PyObject* self, void*) {
  return guarded([&] {
    auto rank = static_cast<Py_ssize_t>(tensor_of(self).dim());
    Owned made = checked(PyTuple_New(rank));
    for (Py_ssize_t i = 0; i < rank; ++i) PyTuple_SET_ITEM(made.get(), i, Py_NewRef(Py_None));
    return made.release();
  });
}

char cpu_kind = static_cast<char>(DeviceType::cpu), cuda_kind = static_cast<char>(DeviceType::cuda),
     meta_kind = static_cast<char>(DeviceType::meta);
PyObject* is_on(PyObject* self, void* kind) {
  return PyBool_FromLong(tensor_of(self).device().type ==
                         static_cast<DeviceType>(*static_cast<char*>(kind)));
}

char numpy_t[] = "aten::numpy_T", m_t[] = "aten::mT", m_h[] = "aten::mH",
     matrix_h[] = "aten::matrix_H", real_part[] = "aten::real", imaginary_part[] = "aten::imag";

}  // namespace

PyGetSetDef tensor_attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"shape", shape, nullptr, nullptr, nullptr},
    {"dtype", dtype, nullptr, nullptr, nullptr},
    {"device", device, nullptr, nullptr, nullptr},
    {"layout", layout, nullptr, nullptr, nullptr},
    {"ndim", ndim, nullptr, nullptr, nullptr},
    {"itemsize", item_size, nullptr, nullptr, nullptr},
    {"nbytes", nbytes, nullptr, nullptr, nullptr},
    {"T", by_operator, nullptr, nullptr, numpy_t},
    {"mT", by_operator, nullptr, nullptr, m_t},
    {"mH", by_operator, nullptr, nullptr, m_h},
    {"H", by_operator, nullptr, nullptr, matrix_h},
    {"real", by_operator, set_part, nullptr, real_part},
    {"imag", by_operator, set_part, nullptr, imaginary_part},
    {"data", data, set_data, nullptr, nullptr},
    {"requires_grad", requires_grad, set_requires_grad, nullptr, nullptr},
    {"grad", grad, set_grad, nullptr, nullptr},
    {"_grad", grad, set_grad, nullptr, nullptr},
    {"grad_fn", none, nullptr, nullptr, nullptr},
    {"_base", none, nullptr, nullptr, nullptr},
    {"name", none, nullptr, nullptr, nullptr},
    {"names", names, nullptr, nullptr, nullptr},
    {"is_leaf", is_leaf, nullptr, nullptr, nullptr},
    {"retains_grad", no, nullptr, nullptr, nullptr},
    {"output_nr", zero, nullptr, nullptr, nullptr},
    {"_version", version, nullptr, nullptr, nullptr},
    {"is_cpu", is_on, nullptr, nullptr, &cpu_kind},
    {"is_cuda", is_on, nullptr, nullptr, &cuda_kind},
    {"is_meta", is_on, nullptr, nullptr, &meta_kind},
    {"is_sparse", no, nullptr, nullptr, nullptr},
    {"is_sparse_csr", no, nullptr, nullptr, nullptr},
    {"is_quantized", no, nullptr, nullptr, nullptr},
    {"is_mkldnn", no, nullptr, nullptr, nullptr},
    {"is_nested", no, nullptr, nullptr, nullptr},
    {"is_mps", no, nullptr, nullptr, nullptr},
    {"is_xpu", no, nullptr, nullptr, nullptr},
    {"is_ipu", no, nullptr, nullptr, nullptr},
    {"is_ort", no, nullptr, nullptr, nullptr},
    {"is_vulkan", no, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace assay::python
