#include "engine/python/bind/torch_function.h"

#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

bool enabled = true;

PyObject* method_name() {
  static PyObject* name = PyUnicode_InternFromString("__torch_function__");
  return name;
}

/// The class's `__torch_function__`, borrowed; null if there is none.
PyObject* find_in(PyTypeObject* type) { return _PyType_Lookup(type, method_name()); }

PyObject* disabled_torch_function = nullptr;

/// Adds the classes of arguments that have one, each once, subclasses before their bases.
void collect(PyObject* object, PyObject* types, Owned& first, bool look_inside) {
  PyTypeObject* type = Py_TYPE(object);
  if (has_own_torch_function(type)) {
    int known = checked(PySequence_Contains(types, reinterpret_cast<PyObject*>(type)));
    if (!known) {
      checked(PyList_Append(types, reinterpret_cast<PyObject*>(type)));
      bool more_special = !first || PyType_IsSubtype(type, Py_TYPE(first.get()));
      if (more_special) first = Owned::share(object);
    }
    return;
  }
  if (!look_inside || !(PyList_Check(object) || PyTuple_Check(object))) return;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i)
    collect(PySequence_Fast_GET_ITEM(object, i), types, first, false);
}

/// For classes whose operators give plain tensors: (function, types, args, keywords).
PyObject* call_without(PyObject*, PyObject* arguments) {
  return guarded([&] {
    PyObject *function = nullptr, *types = nullptr, *args = nullptr, *keywords = nullptr;
    if (!PyArg_ParseTuple(arguments, "OO|OO", &function, &types, &args, &keywords)) throw Raised();
    bool before = set_torch_function_enabled(false);
    Owned none = checked(PyTuple_New(0));
    PyObject* result =
        PyObject_Call(function, args ? args : none.get(), keywords == Py_None ? nullptr : keywords);
    set_torch_function_enabled(before);
    return result;
  });
}

PyObject* set_enabled(PyObject*, PyObject* on) {
  return PyBool_FromLong(set_torch_function_enabled(PyObject_IsTrue(on) == 1));
}

/// has_torch_function(arguments): whether any of them takes part.
PyObject* has_torch_function(PyObject*, PyObject* arguments) {
  return guarded([&] {
    Owned items = checked(PySequence_Fast(arguments, "an iterable of arguments is wanted"));
    bool found = false;
    for (Py_ssize_t i = 0; enabled && i < PySequence_Fast_GET_SIZE(items.get()); ++i)
      found = found || has_own_torch_function(Py_TYPE(PySequence_Fast_GET_ITEM(items.get(), i)));
    return PyBool_FromLong(found);
  });
}

PyObject* has_torch_function_any(PyObject*, PyObject* const* args, Py_ssize_t count) {
  bool found = false;
  for (Py_ssize_t i = 0; enabled && i < count; ++i)
    found = found || has_own_torch_function(Py_TYPE(args[i]));
  return PyBool_FromLong(found);
}

PyMethodDef functions[] = {
    {"_disabled_torch_function_impl", call_without, METH_VARARGS,
     "The __torch_function__ of classes that want none."},
    {"set_torch_function_enabled", set_enabled, METH_O, "Gives what was set before."},
    {"has_torch_function", has_torch_function, METH_O, nullptr},
    {"has_torch_function_unary", as_function(has_torch_function_any), METH_FASTCALL, nullptr},
    {"has_torch_function_variadic", as_function(has_torch_function_any), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool has_own_torch_function(PyTypeObject* type) {
  PyObject* found = find_in(type);
  return enabled && found && found != disabled_torch_function && type != tensor_class();
}

PyObject* call_torch_function(PyObject* function, PyObject* const* args, size_t positional,
                              PyObject* keyword_names) {
  if (!enabled) return nullptr;
  Owned types = checked(PyList_New(0));
  Owned first;
  size_t keywords = keyword_names ? static_cast<size_t>(PyTuple_GET_SIZE(keyword_names)) : 0;
  for (size_t i = 0; i < positional + keywords; ++i) collect(args[i], types.get(), first, true);
  if (!first) return nullptr;
  Owned arguments = checked(PyTuple_New(static_cast<Py_ssize_t>(positional)));
  for (size_t i = 0; i < positional; ++i)
    PyTuple_SET_ITEM(arguments.get(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
  Owned named = checked(PyDict_New());
  for (size_t i = 0; i < keywords; ++i) {
    PyObject* name = PyTuple_GET_ITEM(keyword_names, static_cast<Py_ssize_t>(i));
    checked(PyDict_SetItem(named.get(), name, args[positional + i]));
  }
  Owned kinds = checked(PyList_AsTuple(types.get()));
  Owned method = checked(PyObject_GetAttr(first.get(), method_name()));
  Owned result = checked(PyObject_CallFunctionObjArgs(method.get(), function, kinds.get(),
                                                      arguments.get(), named.get(), nullptr));
  if (result.get() == Py_NotImplemented) return nullptr;
  return result.release();
}

bool set_torch_function_enabled(bool on) { return std::exchange(enabled, on); }

void add_torch_function(PyObject* module) {
  checked(PyModule_AddFunctions(module, functions));
  disabled_torch_function =
      checked(PyObject_GetAttrString(module, "_disabled_torch_function_impl")).release();
}

}  // namespace assay::python
