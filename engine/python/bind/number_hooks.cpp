#include "engine/python/bind/number_hooks.h"

#include <array>
#include <utility>

#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {
namespace {

std::array<PyTypeObject*, 2> remembering{};

/// What the tracer makes of a function's answer; of an error, or where nothing is to be remembered,
/// the answer itself.
PyObject* heard(const char* function, PyObject* const* arguments, Py_ssize_t count,
                PyObject* value) {
  if (!value || !trace_hooks) return value;
  bool any = false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    any = any || remembers(arguments[i]) || is_tensor(arguments[i]);
  }
  if (!any) return value;
  Owned kept(value);
  return guarded([&] {
    return trace_hooks->computed(function, arguments, static_cast<size_t>(count), value);
  });
}

// Classes that are called as functions are.

struct Conversion {
  PyTypeObject* type;
  const char* name;
  vectorcallfunc original;  // Null where this version of Python has none.
};
std::array<Conversion, 3> conversions{{{&PyLong_Type, "int", PyLong_Type.tp_vectorcall},
                                       {&PyFloat_Type, "float", PyFloat_Type.tp_vectorcall},
                                       {&PyRange_Type, "range", PyRange_Type.tp_vectorcall}}};

PyObject* call_original(const Conversion& conversion, PyObject* type, PyObject* const* arguments,
                        size_t flags, PyObject* names) {
  if (conversion.original) return conversion.original(type, arguments, flags, names);
  return guarded([&] {
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    Owned given = checked(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyTuple_SET_ITEM(given.get(), i, Py_NewRef(arguments[i]));
    }
    Owned keywords = checked(PyDict_New());
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
      checked(PyDict_SetItem(keywords.get(), PyTuple_GET_ITEM(names, i), arguments[count + i]));
    }
    return PyType_Type.tp_call(type, given.get(), keywords.get());
  });
}

template <size_t which>
PyObject* convert(PyObject* type, PyObject* const* arguments, size_t flags, PyObject* names) {
  const Conversion& conversion = conversions[which];
  PyObject* value = call_original(conversion, type, arguments, flags, names);
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (count == 0 || names || !value || !trace_hooks) return value;
  bool of_tensor = count == 1 && is_tensor(arguments[0]) && conversion.type != &PyRange_Type;
  if (!of_tensor) return heard(conversion.name, arguments, count, value);
  Owned kept(value);
  return guarded([&] { return trace_hooks->computed(conversion.name, arguments, 1, value); });
}

// A float's operators take any int, and so would keep one that remembers from answering.

using Binary = binaryfunc PyNumberMethods::*;
constexpr std::array<Binary, 7> operators{
    &PyNumberMethods::nb_add,          &PyNumberMethods::nb_subtract,
    &PyNumberMethods::nb_multiply,     &PyNumberMethods::nb_true_divide,
    &PyNumberMethods::nb_floor_divide, &PyNumberMethods::nb_remainder,
    &PyNumberMethods::nb_divmod};
std::array<binaryfunc, operators.size()> float_operators{};
ternaryfunc float_power = nullptr;
richcmpfunc float_compare = nullptr;

/// Whether the second one is to answer.
bool leaves_it(PyObject* a, PyObject* b) { return PyFloat_CheckExact(a) && remembers(b); }

template <size_t which>
PyObject* operate(PyObject* a, PyObject* b) {
  if (leaves_it(a, b)) Py_RETURN_NOTIMPLEMENTED;
  return float_operators[which](a, b);
}
PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (leaves_it(a, b)) Py_RETURN_NOTIMPLEMENTED;
  return float_power(a, b, modulus);
}
PyObject* compare(PyObject* a, PyObject* b, int how) {
  if (leaves_it(a, b)) Py_RETURN_NOTIMPLEMENTED;
  return float_compare(a, b, how);
}

template <size_t... which>
void change_operators(bool on, std::index_sequence<which...>) {
  PyNumberMethods* slots = PyFloat_Type.tp_as_number;
  if (!float_power) {
    ((float_operators[which] = slots->*operators[which]), ...);
    float_power = slots->nb_power;
    float_compare = PyFloat_Type.tp_richcompare;
  }
  ((slots->*operators[which] = on ? operate<which> : float_operators[which]), ...);
  slots->nb_power = on ? power : float_power;
  PyFloat_Type.tp_richcompare = on ? compare : float_compare;
}

// Functions of math: each has an entry of its own, since a function of C's does not know which one
// it is called by.

constexpr size_t most_functions = 64;
struct Function {
  PyMethodDef* entry;
  PyCFunction original;
  PyCFunction replacement;
};
std::array<Function, most_functions> functions{};
size_t function_count = 0;

template <size_t which>
PyObject* with_one(PyObject* self, PyObject* argument) {
  const Function& f = functions[which];
  return heard(f.entry->ml_name, &argument, 1, f.original(self, argument));
}

template <size_t which>
PyObject* with_several(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  const Function& f = functions[which];
  auto original = reinterpret_cast<_PyCFunctionFast>(reinterpret_cast<void*>(f.original));
  return heard(f.entry->ml_name, arguments, count, original(self, arguments, count));
}

template <size_t which>
PyObject* with_tuple(PyObject* self, PyObject* arguments) {
  const Function& f = functions[which];
  PyObject* const* items = &PyTuple_GET_ITEM(arguments, 0);
  return heard(f.entry->ml_name, items, PyTuple_GET_SIZE(arguments), f.original(self, arguments));
}

template <size_t which>
PyCFunction replacement(int flags) {
  if (flags == METH_O) return with_one<which>;
  if (flags == METH_VARARGS) return with_tuple<which>;
  if (flags == METH_FASTCALL) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(with_several<which>));
  }
  return nullptr;
}

template <size_t... which>
PyCFunction replacement_of(size_t function, int flags, std::index_sequence<which...>) {
  PyCFunction found = nullptr;
  ((which == function ? static_cast<void>(found = replacement<which>(flags)) : void()), ...);
  return found;
}

/// Finds the entries of math's functions that take plain arguments.
void find_functions() {
  Owned math = checked(PyImport_ImportModule("math"));
  PyObject *name, *object;
  Py_ssize_t at = 0;
  while (PyDict_Next(PyModule_GetDict(math.get()), &at, &name, &object)) {
    if (!PyCFunction_CheckExact(object) || function_count == most_functions) continue;
    PyMethodDef* entry = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
    PyCFunction made =
        replacement_of(function_count, entry->ml_flags, std::make_index_sequence<most_functions>());
    if (made) functions[function_count++] = {entry, entry->ml_meth, made};
  }
}

}  // namespace

void set_remembering(PyObject* whole, PyObject* real) {
  remembering = {reinterpret_cast<PyTypeObject*>(Py_NewRef(whole)),
                 reinterpret_cast<PyTypeObject*>(Py_NewRef(real))};
}

bool remembers(PyObject* object) {
  return Py_TYPE(object) == remembering[0] || Py_TYPE(object) == remembering[1];
}

void hear_numbers(bool on) {
  if (function_count == 0) find_functions();
  for (size_t i = 0; i < function_count; ++i) {
    Function& f = functions[i];
    f.entry->ml_meth = on ? f.replacement : f.original;
  }
  change_operators(on, std::make_index_sequence<operators.size()>());
  conversions[0].type->tp_vectorcall = on ? convert<0> : conversions[0].original;
  conversions[1].type->tp_vectorcall = on ? convert<1> : conversions[1].original;
  conversions[2].type->tp_vectorcall = on ? convert<2> : conversions[2].original;
}

}  // namespace assay::python
