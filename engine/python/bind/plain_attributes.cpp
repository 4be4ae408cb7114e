#include "engine/python/bind/plain_attributes.h"

#include "engine/python/bind/python.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

/// Whether an attribute is neither the class's own affair, a tensor, a submodule nor a function.
bool is_plain(PyObject* name, PyObject* value, PyTypeObject* module) {
  bool hidden = !PyUnicode_Check(name) || text_of(name).starts_with("_");
  return !hidden && !is_tensor(value) && !PyObject_TypeCheck(value, module) &&
         !PyCallable_Check(value);
}

/// What a container holds now, to compare with later; None for other values.
Owned held_by(PyObject* value) {
  if (PyDict_Check(value)) return checked(PyDict_Copy(value));
  if (PyList_Check(value) || PyAnySet_Check(value)) return checked(PySequence_List(value));
  return Owned::share(Py_None);
}

Owned attributes_of(PyObject* object) { return checked(PyObject_GenericGetDict(object, nullptr)); }

/// {name: (value, what it holds)} of an object's attributes.
Owned plain_of(PyObject* object, PyTypeObject* module) {
  Owned all = attributes_of(object);
  Owned found = checked(PyDict_New());
  PyObject *name, *value;
  Py_ssize_t at = 0;
  while (PyDict_Next(all.get(), &at, &name, &value)) {
    if (!is_plain(name, value, module)) continue;
    Owned entry = checked(PyTuple_Pack(2, value, held_by(value).get()));
    checked(PyDict_SetItem(found.get(), name, entry.get()));
  }
  return found;
}

/// What plain_of gives for each of a list of modules.
PyObject* plain_attributes(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    if (count != 2 || !PyList_Check(arguments[0])) raise(PyExc_TypeError, "(list, class)");
    Owned all = checked(PyList_New(0));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arguments[0]); ++i) {
      Owned found =
          plain_of(PyList_GET_ITEM(arguments[0], i), reinterpret_cast<PyTypeObject*>(arguments[1]));
      checked(PyList_Append(all.get(), found.get()));
    }
    return all.release();
  });
}

bool same_items(PyObject* list, PyObject* before) {
  Py_ssize_t size = PyList_GET_SIZE(list);
  if (size != PyList_GET_SIZE(before)) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (PyList_GET_ITEM(list, i) != PyList_GET_ITEM(before, i)) return false;
  }
  return true;
}

bool same_entries(PyObject* dict, PyObject* before) {
  if (PyDict_GET_SIZE(dict) != PyDict_GET_SIZE(before)) return false;
  PyObject *key, *value, *old_key, *old_value;
  Py_ssize_t at = 0, old_at = 0;
  while (PyDict_Next(dict, &at, &key, &value) &&
         PyDict_Next(before, &old_at, &old_key, &old_value)) {
    if (key != old_key || value != old_value) return false;
  }
  return true;
}

bool same_held(PyObject* value, PyObject* before) {
  if (before == Py_None) return true;
  if (PyDict_Check(value)) return same_entries(value, before);
  if (PyList_Check(value)) return same_items(value, before);
  Owned now = checked(PySequence_List(value));
  return same_items(now.get(), before);
}

/// Whether the attributes are the very objects that they were, and hold what they held.
bool has_attributes(PyObject* object, PyTypeObject* module, PyObject* before) {
  Owned all = attributes_of(object);
  PyObject *name, *value;
  Py_ssize_t at = 0, found = 0;
  while (PyDict_Next(all.get(), &at, &name, &value)) {
    if (!is_plain(name, value, module)) continue;
    PyObject* old = PyDict_GetItemWithError(before, name);
    if (!old && PyErr_Occurred()) throw Raised();
    ++found;
    if (!old || PyTuple_GET_ITEM(old, 0) != value) return false;
    if (!same_held(value, PyTuple_GET_ITEM(old, 1))) return false;
  }
  return found == PyDict_GET_SIZE(before);
}

/// The positions of the modules in a list whose plain attributes changed since `plain_attributes`.
PyObject* changed_modules(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    if (count != 3 || !PyList_Check(arguments[0]) || !PyList_Check(arguments[2]) ||
        PyList_GET_SIZE(arguments[0]) != PyList_GET_SIZE(arguments[2])) {
      raise(PyExc_TypeError, "(list, class, list)");
    }
    Owned changed = checked(PyList_New(0));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arguments[0]); ++i) {
      PyObject* before = PyList_GET_ITEM(arguments[2], i);
      if (has_attributes(PyList_GET_ITEM(arguments[0], i),
                         reinterpret_cast<PyTypeObject*>(arguments[1]), before)) {
        continue;
      }
      checked(PyList_Append(changed.get(), checked(PyLong_FromSsize_t(i)).get()));
    }
    return changed.release();
  });
}

}  // namespace

void add_plain_attributes(PyObject* module) {
  static PyMethodDef methods[] = {
      {"plain_attributes", as_function(plain_attributes), METH_FASTCALL, nullptr},
      {"changed_modules", as_function(changed_modules), METH_FASTCALL, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  checked(PyModule_AddFunctions(module, methods));
}

}  // namespace assay::python
