#include "engine/python/bind/script_containers.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/interp/arguments.h"
#include "engine/ir/interface.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/script_program.h"

namespace py = pybind11;

namespace assay::python {
namespace {

// torch.jit's ScriptList and ScriptDict.
PyTypeObject* list_class = nullptr;
PyTypeObject* dict_class = nullptr;

py::object object_of(const core::Value& value) {
  return py::reinterpret_steal<py::object>(checked(from_value(value)).release());
}

/// A list that programs share with Python. Indices are within its length.
struct SharedList {
  core::ListRef list;

  core::Value item(py::handle object) const { return to_value(object.ptr(), list->element); }
  size_t at(size_t index) const {
    if (index >= list->items.size()) throw py::index_error("list index out of range");
    return index;
  }
};

/// A dict that programs share with Python.
struct SharedDict {
  core::DictRef dict;

  core::Value key(py::handle object) const { return to_value(object.ptr(), dict->key); }
};

void bind_list(py::module_& m) {
  py::class_<SharedList>(m, "SharedList")
      .def("__len__", [](const SharedList& l) { return l.list->items.size(); })
      .def("get",
           [](const SharedList& l, size_t index) { return object_of(l.list->items[l.at(index)]); })
      .def("set", [](const SharedList& l, size_t index,
                     py::handle item) { l.list->items[l.at(index)] = l.item(item); })
      .def("insert",
           [](const SharedList& l, size_t index, py::handle item) {
             auto& items = l.list->items;
             items.insert(items.begin() + std::min(index, items.size()), l.item(item));
           })
      .def("erase", [](const SharedList& l,
                       size_t index) { l.list->items.erase(l.list->items.begin() + l.at(index)); })
      .def("check", [](const SharedList& l, py::handle item) { l.item(item); })
      .def_property_readonly("element",
                             [](const SharedList& l) { return l.list->element->annotation(); });
}

void bind_dict(py::module_& m) {
  py::class_<SharedDict>(m, "SharedDict")
      .def("__len__", [](const SharedDict& d) { return d.dict->size(); })
      .def("keys",
           [](const SharedDict& d) {
             py::list keys;
             for (const auto& entry : d.dict->entries()) keys.append(object_of(entry.key));
             return keys;
           })
      .def("get",
           [](const SharedDict& d, py::handle key) {
             const core::Value* found = d.dict->find(d.key(key));
             if (!found) throw py::key_error(py::str(key).cast<std::string>());
             return object_of(*found);
           })
      .def("has",
           [](const SharedDict& d, py::handle key) { return d.dict->find(d.key(key)) != nullptr; })
      .def("set",
           [](const SharedDict& d, py::handle key, py::handle value) {
             d.dict->set(d.key(key), to_value(value.ptr(), d.dict->value));
           })
      .def("erase",
           [](const SharedDict& d, py::handle key) {
             if (!d.dict->erase(d.key(key))) throw py::key_error(py::str(key).cast<std::string>());
           })
      .def_property_readonly("type", [](const SharedDict& d) {
        return core::dict_of(d.dict->key, d.dict->value)->annotation();
      });
}

}  // namespace

bool is_container(py::handle object) {
  return Py_TYPE(object.ptr()) == list_class || Py_TYPE(object.ptr()) == dict_class;
}

core::Value container_value(py::handle object) {
  py::object shared = object.attr("_shared");
  if (py::isinstance<SharedList>(shared)) return core::Value(shared.cast<SharedList>().list);
  return core::Value(shared.cast<SharedDict>().dict);
}

namespace {

/// Lists and dicts that are made of Python's own for a call are of Any.
bool is_shared(const core::Value& value) {
  if (value.is_list()) return !value.list().element->is(core::TypeKind::any);
  return value.is_dict() && !value.dict().value->is(core::TypeKind::any);
}

}  // namespace

bool shares(const core::Values& args) { return std::any_of(args.begin(), args.end(), is_shared); }

core::Values bind_sharing(const ops::Schema& schema, const core::Values& args,
                          const interp::Keywords& keywords) {
  core::Values complete = interp::bind_arguments(schema, args, keywords);
  for (size_t i = 0; i < complete.size(); ++i) {
    const core::InterfaceType* interface = core::as_interface(schema.arguments[i].type);
    if (!interface || !complete[i].is_object()) continue;
    const core::ClassType& type = *complete[i].object().type;
    if (!script_program().unit().find_class(type.name())) continue;  // Of a loaded program.
    auto why_not = ir::why_not_implemented(script_program().unit(), type, *interface);
    if (why_not) base::fail(*why_not);
  }
  auto share = [&](size_t at, const core::Value& value) {
    if (is_shared(value) && core::is_instance(value, schema.arguments[at].type))
      complete[at] = value;
  };
  for (size_t i = 0; i < args.size(); ++i) share(i, args[i]);
  for (const auto& [name, value] : keywords) {
    if (auto at = schema.find_argument(name)) share(*at, value);
  }
  return complete;
}

void add_script_containers(py::module_& m) {
  bind_list(m);
  bind_dict(m);
  m.def("script_container_classes", [](py::handle list, py::handle dict) {
    list_class = reinterpret_cast<PyTypeObject*>(list.inc_ref().ptr());
    dict_class = reinterpret_cast<PyTypeObject*>(dict.inc_ref().ptr());
  });
  // A list or dict as a value of the type that a text names.
  m.def("share_container", [](py::handle object, const std::string& type) -> py::object {
    core::Value value = to_value(object.ptr(), script_program().type_of(type));
    if (value.is_list()) return py::cast(SharedList{value.ref<core::ListObject>()});
    base::check(value.is_dict(), "only lists and dicts are shared with programs");
    return py::cast(SharedDict{value.ref<core::DictObject>()});
  });
}

}  // namespace assay::python
