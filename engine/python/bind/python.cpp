#include "engine/python/bind/python.h"

#include <cstring>

#include "engine/base/error.h"

namespace assay::python {
namespace {

/// The class of Python exception that PyTorch raises where the engine reports an input error.
PyObject* class_of_input_error(base::Fault fault) {
  switch (fault) {
    case base::Fault::index:
      return PyExc_IndexError;
    case base::Fault::matrix:
      return linear_algebra_error();
    case base::Fault::other:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

PyObject* linear_algebra_error() {
  static PyObject* const kind =
      PyErr_NewException("torch._C._LinAlgError", PyExc_RuntimeError, nullptr);
  return kind;
}

void raise(PyObject* kind, const std::string& message) {
  PyErr_SetString(kind, message.c_str());
  throw Raised();
}

void set_caught_error() noexcept {
  try {
    throw;
  } catch (const Raised&) {
    return;
  } catch (const base::Error& error) {
    switch (error.kind()) {
      case base::ErrorKind::input:
        PyErr_SetString(class_of_input_error(error.fault()), error.message().c_str());
        return;
      case base::ErrorKind::unsupported:
        PyErr_SetString(PyExc_NotImplementedError, error.message().c_str());
        return;
      case base::ErrorKind::internal:
        PyErr_SetString(PyExc_SystemError, error.describe().c_str());
        return;
    }
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_SystemError, error.what());
  }
}

std::string_view text_of(PyObject* str) {
  Py_ssize_t size = 0;
  const char* characters = PyUnicode_AsUTF8AndSize(str, &size);
  if (!characters) throw Raised();
  return {characters, static_cast<size_t>(size)};
}

Owned text(std::string_view characters) {
  return checked(
      PyUnicode_FromStringAndSize(characters.data(), static_cast<Py_ssize_t>(characters.size())));
}

std::string class_name(PyObject* object) {
  std::string_view name = Py_TYPE(object)->tp_name;
  size_t dot = name.rfind('.');
  return std::string(dot == name.npos ? name : name.substr(dot + 1));
}

bool is_numpy_number(PyObject* object) {
  std::string_view name = Py_TYPE(object)->tp_name;
  if (!name.starts_with("numpy.")) return false;
  name.remove_prefix(6);
  for (std::string_view kind : {"int", "uint", "float", "bool", "complex", "longlong", "intc"})
    if (name.starts_with(kind)) return true;
  return false;
}

void add(PyObject* to, const char* name, PyObject* taken) {
  Owned value = checked(taken);
  checked(PyObject_SetAttrString(to, name, value.get()));
}

void add_type(PyObject* module, PyTypeObject* type) {
  checked(PyType_Ready(type));
  const char* dot = std::strrchr(type->tp_name, '.');
  checked(PyModule_AddObjectRef(module, dot ? dot + 1 : type->tp_name,
                                reinterpret_cast<PyObject*>(type)));
}

}  // namespace assay::python
