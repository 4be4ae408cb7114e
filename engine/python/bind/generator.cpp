#include "engine/python/bind/generator.h"

#include <new>
#include <random>

#include "engine/python/bind/context.h"
#include "engine/python/bind/tags.h"

namespace assay::python {
namespace {

struct GeneratorObject {
  PyObject_HEAD base::Ref<core::Generator> generator;
};

base::Ref<core::Generator>& of(PyObject* self) {
  return reinterpret_cast<GeneratorObject*>(self)->generator;
}

PyObject* make(PyTypeObject* type, base::Ref<core::Generator> generator) {
  Owned made = checked(type->tp_alloc(type, 0));
  new (&of(made.get())) base::Ref<core::Generator>(std::move(generator));
  return made.release();
}

PyObject* make_new(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"device", nullptr};
    PyObject* device = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Generator", const_cast<char**>(names),
                                     &device))
      throw Raised();
    return make(type, base::make_ref<core::Generator>());
  });
}

void dealloc(PyObject* self) {
  of(self).~Ref();
  Py_TYPE(self)->tp_free(self);
}

/// Any int of 64 bits; negative ones count from the top, as in PyTorch.
uint64_t seed_from(PyObject* number) {
  Owned whole = checked(PyNumber_Index(number));
  uint64_t seed = PyLong_AsUnsignedLongLongMask(whole.get());
  if (PyErr_Occurred()) throw Raised();
  return seed;
}

PyObject* manual_seed(PyObject* self, PyObject* seed) {
  return guarded([&] {
    of(self)->set_seed(seed_from(seed));
    return Py_NewRef(self);
  });
}

PyObject* initial_seed(PyObject* self, PyObject*) {
  return PyLong_FromUnsignedLongLong(of(self)->seed());
}

PyObject* random_seed(PyObject* self, PyObject*) {
  return guarded([&] {
    std::random_device source;
    uint64_t seed = (static_cast<uint64_t>(source()) << 32 | source()) & (UINT64_MAX >> 1);
    of(self)->set_seed(seed);
    return PyLong_FromUnsignedLongLong(seed);
  });
}

/// The state is a generator that stands where this one stands.
PyObject* get_state(PyObject* self, PyObject*) {
  return guarded([&] { return make(&generator_type, base::make_ref<core::Generator>(*of(self))); });
}

PyObject* set_state(PyObject* self, PyObject* state) {
  return guarded([&] {
    if (!is_generator(state))
      raise(PyExc_TypeError, "the state of a generator is what get_state() gave");
    *of(self) = *of(state);
    return Py_NewRef(self);
  });
}

PyObject* device_getter(PyObject*, void*) {
  return guarded([] { return wrap_device({}); });
}

PyMethodDef methods[] = {{"manual_seed", manual_seed, METH_O, nullptr},
                         {"initial_seed", initial_seed, METH_NOARGS, nullptr},
                         {"seed", random_seed, METH_NOARGS, nullptr},
                         {"get_state", get_state, METH_NOARGS, nullptr},
                         {"set_state", set_state, METH_O, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyGetSetDef attributes[] = {{"device", device_getter, nullptr, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject generator_type = [] {
  PyTypeObject type = blank_type("torch._C.Generator", sizeof(GeneratorObject));
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = make_new;
  type.tp_dealloc = dealloc;
  type.tp_methods = methods;
  type.tp_getset = attributes;
  return type;
}();

bool is_generator(PyObject* object) { return Py_TYPE(object) == &generator_type; }
base::Ref<core::Generator> generator_of(PyObject* object) { return of(object); }
PyObject* wrap_generator(const base::Ref<core::Generator>& generator) {
  return make(&generator_type, generator);
}

void add_generator(PyObject* module) {
  add_type(module, &generator_type);
  add(module, "default_generator", wrap_generator(context().generator));
}

}  // namespace assay::python
