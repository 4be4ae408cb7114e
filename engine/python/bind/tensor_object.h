#pragma once

#include "engine/core/tensor.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// What Python holds of a tensor: `_C.TensorBase`, whose subclass torch.Tensor is what operators
/// return. There is one object per tensor while it is alive (core::TensorImpl::face).
struct TensorObject {
  PyObject_HEAD core::Tensor tensor;
  PyObject* dict;  ///< Attributes that programs set; null until the first.
  PyObject* grad;  ///< What was assigned to `.grad`; null for None.
  PyObject* weak_refs;
};

extern PyTypeObject tensor_base_type;

inline bool is_tensor(PyObject* object) { return PyObject_TypeCheck(object, &tensor_base_type); }
inline const core::Tensor& tensor_of(PyObject* object) {
  return reinterpret_cast<TensorObject*>(object)->tensor;
}

/// The tensor's object: the one that is there, or a new torch.Tensor. A new reference; None for an
/// undefined tensor.
PyObject* wrap(const core::Tensor& tensor);
/// A new object of a subclass for the tensor, which must have none yet.
PyObject* wrap_as(PyTypeObject* type, const core::Tensor& tensor);

/// torch.Tensor, a borrowed reference; TensorBase until it is registered.
PyTypeObject* tensor_class();

void add_tensor(PyObject* module);

// The tables of TensorBase, in the files beside this one.
extern PyNumberMethods tensor_number_methods;
extern PyMappingMethods tensor_mapping_methods;
extern PyGetSetDef tensor_attributes[];
extern PyMethodDef tensor_methods[];
PyObject* compare_tensors(PyObject* a, PyObject* b, int how);
PyObject* iterate_tensor(PyObject* self);

}  // namespace assay::python
