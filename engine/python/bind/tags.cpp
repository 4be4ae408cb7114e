#include "engine/python/bind/tags.h"

#include <array>
#include <string>
#include <vector>

#include "engine/base/error.h"

namespace assay::python {
namespace {

struct Row {
  TagKind kind;
  int64_t number;
  const char* name;
};

/// The element types that assay computes with are core/dtype.def's; the others can be named.
constexpr Row rows[] = {
#define DTYPE(name, number, python, script, type, category) {TagKind::dtype, number, python},
#include "engine/core/dtype.def"
#undef DTYPE
    {TagKind::dtype, 8, "complex32"},
    {TagKind::dtype, 12, "qint8"},
    {TagKind::dtype, 13, "quint8"},
    {TagKind::dtype, 14, "qint32"},
    {TagKind::dtype, 16, "quint4x2"},
    {TagKind::dtype, 17, "quint2x4"},
    {TagKind::layout, 0, "strided"},
    {TagKind::layout, 1, "sparse_coo"},
    {TagKind::layout, 2, "sparse_csr"},
    {TagKind::layout, 3, "_mkldnn"},
    {TagKind::memory_format, 0, "contiguous_format"},
    {TagKind::memory_format, 1, "preserve_format"},
    {TagKind::memory_format, 2, "channels_last"},
    {TagKind::memory_format, 3, "channels_last_3d"},
};
std::array<PyObject*, std::size(rows)> objects;

PyObject* tag_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<TagObject*>(self)->name);
}

PyObject* the_module = nullptr;

/// Pickled by the name that it has in this module.
PyObject* tag_reduce(PyObject* self, PyObject*) {
  PyObject* get = PyObject_GetAttrString(the_module, "tag");
  return get ? Py_BuildValue("(N(s))", get, reinterpret_cast<TagObject*>(self)->name) : nullptr;
}

PyObject* tag(PyObject*, PyObject* name) { return PyObject_GetAttr(the_module, name); }

PyObject* same_object(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}

PyMethodDef tag_methods[] = {{"__reduce__", tag_reduce, METH_NOARGS, nullptr},
                             {"__copy__", same_object, METH_NOARGS, nullptr},
                             {"__deepcopy__", same_object, METH_O, nullptr},
                             {nullptr, nullptr, 0, nullptr}};

PyObject* category_getter(PyObject* self, void* wanted) {
  int64_t number = reinterpret_cast<TagObject*>(self)->number;
  std::string_view what = static_cast<const char*>(wanted);
  auto known = core::dtype_from_number(number);
  if (what == "complex") {
    return PyBool_FromLong(known ? core::is_complex(*known) : number == 8);
  }
  if (what == "floating") return PyBool_FromLong(known && core::is_floating(*known));
  bool is_signed = known ? *known != core::DType::uint8 && *known != core::DType::boolean
                         : number == 8 || number == 12 || number == 14;
  return PyBool_FromLong(is_signed);
}

PyObject* itemsize_getter(PyObject* self, void*) {
  return guarded([&] { return PyLong_FromSize_t(core::size_of(dtype_of_object(self))); });
}

char complex_word[] = "complex", floating_word[] = "floating", signed_word[] = "signed";
PyGetSetDef dtype_attributes[] = {
    {"is_complex", category_getter, nullptr, nullptr, complex_word},
    {"is_floating_point", category_getter, nullptr, nullptr, floating_word},
    {"is_signed", category_getter, nullptr, nullptr, signed_word},
    {"itemsize", itemsize_getter, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject tag_type(const char* name) {
  PyTypeObject type = blank_type(name, sizeof(TagObject));
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_repr = tag_repr;
  type.tp_methods = tag_methods;
  return type;
}

PyTypeObject& type_of(TagKind kind) {
  if (kind == TagKind::dtype) return dtype_type;
  return kind == TagKind::layout ? layout_type : memory_format_type;
}

PyObject* device_new(PyTypeObject*, PyObject* args, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    static const char* names[] = {"type", "index", nullptr};
    PyObject* first = nullptr;
    PyObject* index = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O:device", const_cast<char**>(names),
                                     &first, &index))
      throw Raised();
    auto device = device_from(first);
    if (!device) {
      raise(PyExc_TypeError,
            "device(): argument 'type' (position 1) must be str, not " + class_name(first));
    }
    if (index != Py_None) {
      if (device->index >= 0) {
        raise(PyExc_RuntimeError,
              "type (string) must not include an index because index was passed "
              "explicitly: " +
                  device->text());
      }
      long given = PyLong_AsLong(index);
      if (given == -1 && PyErr_Occurred()) throw Raised();
      base::check(given >= 0 && given < 128, "Device index must not be negative");
      device->index = static_cast<int8_t>(given);
    }
    return wrap_device(*device);
  });
}

core::Device of_self(PyObject* self) { return reinterpret_cast<DeviceObject*>(self)->device; }

std::string type_text(core::Device device) { return core::Device{device.type, -1}.text(); }

PyObject* device_repr(PyObject* self) {
  core::Device device = of_self(self);
  std::string type = type_text(device);
  if (device.index < 0) return PyUnicode_FromFormat("device(type='%s')", type.c_str());
  return PyUnicode_FromFormat("device(type='%s', index=%d)", type.c_str(), device.index);
}

PyObject* device_str(PyObject* self) { return PyUnicode_FromString(of_self(self).text().c_str()); }

Py_hash_t device_hash(PyObject* self) {
  core::Device device = of_self(self);
  return static_cast<Py_hash_t>(device.type) * 1000 + device.index + 7;
}

PyObject* device_compare(PyObject* a, PyObject* b, int how) {
  if (!is_device(a) || !is_device(b) || (how != Py_EQ && how != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((of_self(a) == of_self(b)) == (how == Py_EQ));
}

PyObject* device_kind(PyObject* self, void*) {
  return PyUnicode_FromString(type_text(of_self(self)).c_str());
}

PyObject* device_index(PyObject* self, void*) {
  if (of_self(self).index < 0) Py_RETURN_NONE;
  return PyLong_FromLong(of_self(self).index);
}

PyObject* device_reduce(PyObject* self, PyObject*) {
  PyObject* make = PyObject_GetAttrString(the_module, "device_named");
  return make ? Py_BuildValue("(N(s))", make, of_self(self).text().c_str()) : nullptr;
}

PyObject* device_named(PyObject*, PyObject* name) {
  return guarded([&] { return wrap_device(*device_from(name)); });
}

PyMethodDef functions[] = {
    {"tag", tag, METH_O, "A dtype, layout or memory format by its name."},
    {"device_named", device_named, METH_O, "A device by its name; for pickles."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef device_attributes[] = {{"type", device_kind, nullptr, nullptr, nullptr},
                                   {"index", device_index, nullptr, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef device_methods[] = {{"__reduce__", device_reduce, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_device_type() {
  PyTypeObject type = blank_type("torch.device", sizeof(DeviceObject));
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = device_new;
  type.tp_repr = device_repr;
  type.tp_str = device_str;
  type.tp_hash = device_hash;
  type.tp_richcompare = device_compare;
  type.tp_getset = device_attributes;
  type.tp_methods = device_methods;
  return type;
}

}  // namespace

PyTypeObject dtype_type = [] {
  PyTypeObject type = tag_type("torch.dtype");
  type.tp_getset = dtype_attributes;
  return type;
}();
PyTypeObject layout_type = tag_type("torch.layout");
PyTypeObject memory_format_type = tag_type("torch.memory_format");
PyTypeObject device_object_type = make_device_type();

PyObject* tag_of(TagKind kind, int64_t number) {
  for (size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].kind == kind && rows[i].number == number) return objects[i];
  base::unsupported("no ", type_of(kind).tp_name, " has the number ", number);
}

core::DType dtype_of_object(PyObject* object) {
  auto* tag = reinterpret_cast<TagObject*>(object);
  auto known = core::dtype_from_number(tag->number);
  if (!known) base::unsupported("assay has no element type torch.", tag->name);
  return *known;
}

PyObject* wrap_device(core::Device device) {
  PyObject* made = checked(device_object_type.tp_alloc(&device_object_type, 0)).release();
  reinterpret_cast<DeviceObject*>(made)->device = device;
  return made;
}

std::optional<core::Device> device_from(PyObject* object) {
  if (is_device(object)) return of_self(object);
  if (PyUnicode_Check(object)) {
    auto found = core::parse_device(text_of(object));
    if (!found) {
      base::fail("Invalid device string: '", text_of(object),
                 "'; assay has cpu, cuda, fake and meta devices");
    }
    return found;
  }
  if (PyLong_Check(object) && !PyBool_Check(object)) {
    long index = PyLong_AsLong(object);
    if (index == -1 && PyErr_Occurred()) throw Raised();
    base::check(index >= 0 && index < 128, "Device index must not be negative");
    return core::Device{core::DeviceType::cuda, static_cast<int8_t>(index)};
  }
  return std::nullopt;
}

void add_tags(PyObject* module) {
  the_module = Py_NewRef(module);
  checked(PyModule_AddFunctions(module, functions));
  for (PyTypeObject* type : {&dtype_type, &layout_type, &memory_format_type, &device_object_type})
    add_type(module, type);
  for (size_t i = 0; i < std::size(rows); ++i) {
    PyTypeObject& type = type_of(rows[i].kind);
    Owned made = checked(type.tp_alloc(&type, 0));
    reinterpret_cast<TagObject*>(made.get())->number = rows[i].number;
    reinterpret_cast<TagObject*>(made.get())->name = rows[i].name;
    objects[i] = Py_NewRef(made.get());
    add(module, rows[i].name, made.release());
  }
}

}  // namespace assay::python
