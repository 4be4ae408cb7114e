#include "engine/python/bind/tensor_object.h"

#include <new>

#include "engine/base/error.h"

namespace assay::python {
namespace {

PyTypeObject* the_tensor_class = nullptr;

TensorObject* of(PyObject* self) { return reinterpret_cast<TensorObject*>(self); }

PyObject* make(PyTypeObject* type, const core::Tensor& tensor) {
  PyObject* made = type->tp_alloc(type, 0);
  if (!made) throw Raised();
  new (&of(made)->tensor) core::Tensor(tensor);
  tensor.impl()->face = made;
  return made;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(of(self)->dict);
  Py_VISIT(of(self)->grad);
  return 0;
}

int clear(PyObject* self) {
  Py_CLEAR(of(self)->dict);
  Py_CLEAR(of(self)->grad);
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (of(self)->weak_refs) PyObject_ClearWeakRefs(self);
  clear(self);
  core::Tensor& tensor = of(self)->tensor;
  if (tensor.defined() && tensor.impl()->face == self) tensor.impl()->face = nullptr;
  tensor.~Tensor();
  Py_TYPE(self)->tp_free(self);
}

/// TensorBase(tensor) and _make_subclass: another object, of the wanted class, on the same bytes.
PyObject* make_new(PyTypeObject* type, PyObject* args, PyObject*) {
  return guarded([&] {
    PyObject* source = nullptr;
    if (!PyArg_ParseTuple(args, "O:TensorBase", &source)) throw Raised();
    if (!is_tensor(source)) raise(PyExc_TypeError, "TensorBase takes a tensor");
    return make(type, tensor_of(source).alias());
  });
}

PyObject* set_tensor_class(PyObject*, PyObject* type) {
  return guarded([&]() -> PyObject* {
    bool fits = PyType_Check(type) &&
                PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), &tensor_base_type);
    if (!fits) raise(PyExc_TypeError, "the class of tensors must be derived from TensorBase");
    Py_INCREF(type);
    the_tensor_class = reinterpret_cast<PyTypeObject*>(type);
    Py_RETURN_NONE;
  });
}

PyMethodDef functions[] = {
    {"set_tensor_class", set_tensor_class, METH_O, "Operators return objects of this class."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject tensor_base_type = [] {
  PyTypeObject type = blank_type("assay._engine.TensorBase", sizeof(TensorObject));
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_new = make_new;
  type.tp_hash = reinterpret_cast<hashfunc>(_Py_HashPointer);
  type.tp_as_number = &tensor_number_methods;
  type.tp_as_mapping = &tensor_mapping_methods;
  type.tp_getset = tensor_attributes;
  type.tp_methods = tensor_methods;
  type.tp_richcompare = compare_tensors;
  type.tp_iter = iterate_tensor;
  type.tp_dictoffset = offsetof(TensorObject, dict);
  type.tp_weaklistoffset = offsetof(TensorObject, weak_refs);
  return type;
}();

PyObject* wrap(const core::Tensor& tensor) {
  if (!tensor.defined()) Py_RETURN_NONE;
  if (auto* known = static_cast<PyObject*>(tensor.impl()->face)) return Py_NewRef(known);
  return make(the_tensor_class, tensor);
}

PyObject* wrap_as(PyTypeObject* type, const core::Tensor& tensor) {
  base::invariant(!tensor.impl()->face, "a tensor has an object already");
  return make(type, tensor);
}

PyTypeObject* tensor_class() { return the_tensor_class; }

void add_tensor(PyObject* module) {
  the_tensor_class = &tensor_base_type;
  add_type(module, &tensor_base_type);
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace assay::python
