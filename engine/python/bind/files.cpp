#include "engine/python/bind/files.h"

#include <memory>

#include "engine/archive/zip_writer.h"

namespace assay::python {
namespace {

/// zip_bytes(name, [(member, bytes)]): the members below a folder of this name.
PyObject* zip_bytes(PyObject*, PyObject* args) {
  return guarded([&] {
    const char* name = nullptr;
    PyObject* members = nullptr;
    if (!PyArg_ParseTuple(args, "sO!", &name, &PyList_Type, &members)) throw Raised();
    archive::ZipWriter writer(name);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(members); ++i) {
      const char* member = nullptr;
      Py_buffer contents;
      if (!PyArg_ParseTuple(PyList_GET_ITEM(members, i), "sy*", &member, &contents)) throw Raised();
      auto release = [](Py_buffer* buffer) { PyBuffer_Release(buffer); };
      std::unique_ptr<Py_buffer, decltype(release)> held(&contents, release);
      writer.add(member,
                 {static_cast<const char*>(contents.buf), static_cast<size_t>(contents.len)});
    }
    std::string bytes = writer.finish();
    return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
  });
}

PyMethodDef functions[] = {
    {"zip_bytes", zip_bytes, METH_VARARGS, "An archive: (name, list of (member, bytes))."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_files(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace assay::python
