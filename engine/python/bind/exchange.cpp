#include "engine/python/bind/exchange.h"

#include <pybind11/pybind11.h>

#include <cstring>
#include <vector>

#include "engine/python/bind/python.h"

namespace py = pybind11;

namespace assay::python {
namespace {

/// A number that is another one whenever the dict was written to; never 0.
uint64_t version_of(PyObject* dict) {
  return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag;
}

/// Objects of namespaces, and those that stand in their place from `put` to `put_back`. A trace
/// does both, and a campaign traces often: what nobody has written to is not looked at again.
class Exchange {
 public:
  explicit Exchange(const py::list& namespaces) {
    for (py::handle each : namespaces) {
      if (!PyDict_Check(each.ptr())) throw py::type_error("(list of dicts)");
      namespaces_.emplace_back(Owned::share(each.ptr()));
    }
  }

  /// What is to be exchanged in the namespace at this place, by name.
  void hold(size_t place, const py::dict& stand_ins) {
    Namespace& space = namespaces_.at(place);
    space.entries.clear();
    for (auto [name, stand_in] : stand_ins) {
      PyObject* own = PyDict_GetItemWithError(space.dict.get(), name.ptr());
      if (!own) throw py::key_error("a name that is not there");
      space.entries.push_back(
          {Owned::share(name.ptr()), Owned::share(own), Owned::share(stand_in.ptr())});
    }
    space.version = version_of(space.dict.get());
  }

  /// None once all are in place; instead of that the places that were written to since `hold` was
  /// called for them, if there are any.
  py::object put() {
    py::list changed;
    for (size_t i = 0; i < namespaces_.size(); ++i) {
      if (version_of(namespaces_[i].dict.get()) != namespaces_[i].version) changed.append(i);
    }
    if (!changed.empty()) return changed;
    for (Namespace& space : namespaces_) exchange(space);
    return py::none();
  }

  /// Undoes `put`; but what the program has put there meanwhile stays.
  void put_back() {
    for (Namespace& space : namespaces_) {
      if (!space.entries.empty()) exchange_back(space);
    }
  }

 private:
  struct Entry {
    Owned name, own, stand_in;
  };
  struct Namespace {
    explicit Namespace(Owned of) : dict(std::move(of)) {}
    Owned dict;
    uint64_t version = 0;  // At which nothing had changed since `hold`.
    std::vector<Entry> entries;
  };

  static void set(const Namespace& space, const Entry& entry, const Owned& value) {
    if (PyDict_SetItem(space.dict.get(), entry.name.get(), value.get()) < 0)
      throw py::error_already_set();
  }

  static void exchange(Namespace& space) {
    for (const Entry& entry : space.entries) set(space, entry, entry.stand_in);
    if (!space.entries.empty()) space.version = version_of(space.dict.get());
  }

  static void exchange_back(Namespace& space) {
    bool untouched = version_of(space.dict.get()) == space.version;
    for (const Entry& entry : space.entries) {
      if (untouched ||
          PyDict_GetItemWithError(space.dict.get(), entry.name.get()) == entry.stand_in.get()) {
        set(space, entry, entry.own);
      }
    }
    space.version = untouched ? version_of(space.dict.get()) : 0;
  }

  std::vector<Namespace> namespaces_;
};

/// Places of the dicts of a list whose versions are not those in a bytearray, which has them then.
PyObject* changed_dicts(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    bool fits = count == 2 && PyList_Check(arguments[0]) && PyByteArray_Check(arguments[1]) &&
                PyByteArray_GET_SIZE(arguments[1]) == 8 * PyList_GET_SIZE(arguments[0]);
    if (!fits) raise(PyExc_TypeError, "(list, bytearray of eight bytes for each)");
    Owned changed = checked(PyList_New(0));
    char* at = PyByteArray_AS_STRING(arguments[1]);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arguments[0]); ++i, at += 8) {
      PyObject* dict = PyList_GET_ITEM(arguments[0], i);
      if (!PyDict_Check(dict)) raise(PyExc_TypeError, "(list of dicts)");
      uint64_t version = version_of(dict);
      if (std::memcmp(at, &version, sizeof version) == 0) continue;
      std::memcpy(at, &version, sizeof version);
      checked(PyList_Append(changed.get(), checked(PyLong_FromSsize_t(i)).get()));
    }
    return changed.release();
  });
}

}  // namespace

void add_exchange(PyObject* module) {
  py::class_<Exchange>(py::reinterpret_borrow<py::module_>(module), "Exchange")
      .def(py::init<const py::list&>())
      .def("hold", &Exchange::hold)
      .def("put", &Exchange::put)
      .def("put_back", &Exchange::put_back);
  static PyMethodDef methods[] = {
      {"changed_dicts", as_function(changed_dicts), METH_FASTCALL, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  checked(PyModule_AddFunctions(module, methods));
}

}  // namespace assay::python
