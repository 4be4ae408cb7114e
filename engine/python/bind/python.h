#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>
#include <string_view>
#include <utility>

namespace assay::python {

/// Thrown where a Python error is set already.
struct Raised {};

/// PyTorch's class of errors for matrices that cannot be factorized; borrowed.
PyObject* linear_algebra_error();

/// Owns a reference to a Python object; may be null.
class Owned {
 public:
  Owned() = default;
  /// Takes a new reference over.
  explicit Owned(PyObject* taken) : object_(taken) {}
  /// Shares a borrowed one.
  static Owned share(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Owned(borrowed);
  }
  Owned(const Owned& other) : object_(other.object_) { Py_XINCREF(object_); }
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// What a call of Python's interface gave, which is null where it failed: Raised then.
inline Owned checked(PyObject* made) {
  if (!made) throw Raised();
  return Owned(made);
}
inline int checked(int status) {
  if (status < 0) throw Raised();
  return status;
}

/// Raises a Python exception.
[[noreturn]] void raise(PyObject* kind, const std::string& message);
/// Makes the exception that a `catch (...)` block has caught the interpreter's.
void set_caught_error() noexcept;

/// What `body` returns, with what it throws as a Python error and `failed` in its place.
template <typename Body, typename Result>
Result guarded(const Body& body, Result failed) noexcept {
  try {
    return body();
  } catch (...) {
    set_caught_error();
    return failed;
  }
}
template <typename Body>
PyObject* guarded(const Body& body) noexcept {
  return guarded(body, static_cast<PyObject*>(nullptr));
}

/// The characters of a str, as long as it lives.
std::string_view text_of(PyObject* str);
/// A new str.
Owned text(std::string_view characters);
/// "int", "Parameter": the name of an object's class.
std::string class_name(PyObject* object);
/// Whether the object is one of numpy's numbers, told by its class's name, so that nothing needs
/// numpy.
bool is_numpy_number(PyObject* object);

/// A static type with nothing set but its name and the size of its objects.
inline PyTypeObject blank_type(const char* name, size_t size) {
  PyTypeObject type = {};
  Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
  type.tp_name = name;
  type.tp_basicsize = static_cast<Py_ssize_t>(size);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  return type;
}

/// Sets an attribute of a module or a class; takes the value over.
void add(PyObject* to, const char* name, PyObject* taken);
/// Finishes a type and adds it to the module under the last part of its name.
void add_type(PyObject* module, PyTypeObject* type);

/// A method table's entry for a function that takes keywords or an array of arguments.
template <typename Function>
PyCFunction as_function(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

}  // namespace assay::python
