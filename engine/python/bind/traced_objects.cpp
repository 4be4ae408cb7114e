#include "engine/python/bind/traced_objects.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/stack.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/script_object.h"
#include "engine/python/bind/script_program.h"

namespace py = pybind11;

namespace assay::python {
namespace {

/// Names of attributes, made once.
struct Names {
  PyObject* dict = PyUnicode_InternFromString("__dict__");
  PyObject* parameters = PyUnicode_InternFromString("_parameters");
  PyObject* buffers = PyUnicode_InternFromString("_buffers");
  PyObject* modules = PyUnicode_InternFromString("_modules");
  PyObject* backward_hooks = PyUnicode_InternFromString("_backward_hooks");
  PyObject* training = PyUnicode_InternFromString("training");
  PyObject* compiled = PyUnicode_InternFromString("_actual_script_module");
  PyObject* object = PyUnicode_InternFromString("_c");
};
const Names& names() {
  static const Names all;
  return all;
}

py::object get(py::handle object, PyObject* name) {
  return py::reinterpret_steal<py::object>(checked(PyObject_GetAttr(object.ptr(), name)).release());
}

/// Calls `visit(name, value)` for each entry of one of a module's registries, in its order. Most
/// are empty.
template <typename Visit>
void for_each_entry(const py::object& registry, const Visit& visit) {
  if (checked(static_cast<int>(PyObject_Size(registry.ptr()))) == 0) return;
  py::object items = registry.attr("items")();
  for (py::handle entry : items) {
    visit(PyTuple_GET_ITEM(entry.ptr(), 0), PyTuple_GET_ITEM(entry.ptr(), 1));
  }
}

/// Makes the engine's objects for a module and its submodules, each with a class of its own.
class ObjectMaker {
 public:
  /// `compiled`: the class of modules that have such an object; `class_name(type)`: how the class
  /// of a Python class is to be called.
  ObjectMaker(py::object compiled, py::object class_name)
      : compiled_(std::move(compiled)), class_name_(std::move(class_name)) {}

  ScriptObject make(const py::object& module) {
    core::ObjectRef object = object_of(module);
    return ScriptObject(api::Module(engine(), script_program().program(), object), classes_);
  }

 private:
  using Role = core::ClassType::Role;
  struct Slot {
    std::string name;
    core::Value value;
    core::TypePtr type;
    Role role;
  };

  core::ObjectRef object_of(const py::object& module) {
    base::check_stack("a module in modules");
    if (py::isinstance(module, compiled_)) return object_of_compiled(module);
    if (PyObject_IsTrue(get(module, names().backward_hooks).ptr()) != 0) {
      throw py::value_error("a module with backward hooks cannot be traced, remove them: " +
                            std::string(py::str(module)));
    }
    std::vector<Slot> slots;
    add_tensors(get(module, names().parameters), Role::parameter, slots);
    add_tensors(get(module, names().buffers), Role::buffer, slots);
    core::Value training = to_value(get(module, names().training).ptr());
    slots.push_back({"training", training, core::bool_type(), Role::attribute});
    slots.push_back({"_is_full_backward_hook", core::Value(), core::optional_of(core::bool_type()),
                     Role::attribute});
    for_each_entry(get(module, names().modules), [&](py::handle name, py::handle child) {
      if (child.is_none()) return;
      core::ObjectRef made = object_of(actual(child));
      core::TypePtr type = made->type;
      slots.push_back({name.cast<std::string>(), std::move(made), type, Role::attribute});
    });
    return define(name_of_class(module), std::move(slots));
  }

  /// The compiled module behind one that was written for the compiler; any other as it is.
  static py::object actual(py::handle module) {
    py::object own = get(module, names().dict);
    PyObject* found = PyDict_GetItemWithError(own.ptr(), names().compiled);
    if (!found && PyErr_Occurred()) throw Raised();
    return py::reinterpret_borrow<py::object>(found ? found : module.ptr());
  }

  core::ObjectRef object_of_compiled(const py::object& module) {
    auto& submodule = get(module, names().object).cast<ScriptObject&>();
    if (submodule.traced()) classes_->take(*submodule.traced());
    return submodule.object();
  }

  static void add_tensors(const py::object& registry, Role role, std::vector<Slot>& slots) {
    for_each_entry(registry, [&](py::handle name, py::handle tensor) {
      if (tensor.is_none()) return;
      core::Value value = to_value(tensor.ptr());
      for (const Slot& other : slots) {
        if (!other.value.is_tensor() || other.value.tensor_impl() != value.tensor_impl()) continue;
        throw py::value_error((role == Role::parameter ? "parameter '" : "buffer '") +
                              name.cast<std::string>() +
                              "' has a second name: a traced module shares none");
      }
      slots.push_back({name.cast<std::string>(), std::move(value), core::tensor_type(), role});
    });
  }

  /// What was asked for once is known while the class stays as it is: Python gives a class another
  /// version with every change but that of its name, and no version twice.
  const std::string& name_of_class(const py::object& module) {
    constexpr size_t most = 10000;
    static auto* known = new std::unordered_map<unsigned, std::string>();
    PyTypeObject* type = Py_TYPE(module.ptr());
    bool has_version = PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) != 0;
    auto found = has_version ? known->find(type->tp_version_tag) : known->end();
    if (found != known->end() && found->second.ends_with(type->tp_name)) return found->second;
    std::string name = class_name_(py::type::of(module)).cast<std::string>();
    if (known->size() > most) known->clear();
    return (*known)[has_version ? type->tp_version_tag : 0] = std::move(name);
  }

  core::ObjectRef define(const std::string& wanted, std::vector<Slot> slots) {
    ir::Unit& unit = script_program().unit();
    auto type = std::make_shared<core::ClassType>(unit.unique_name(wanted), true);
    for (const Slot& slot : slots) type->add_attribute(slot.name, slot.type, slot.role);
    unit.define_class(type);
    classes_->add(type->name());
    auto object = base::make_ref<core::Object>(type);
    for (size_t i = 0; i < slots.size(); ++i) object->slots[i] = std::move(slots[i].value);
    return object;
  }

  py::object compiled_, class_name_;
  std::shared_ptr<TracedClasses> classes_ = std::make_shared<TracedClasses>();
};

ScriptObject traced_object(const py::object& module, const py::object& compiled,
                           const py::object& class_name) {
  return ObjectMaker(compiled, class_name).make(module);
}

void add_paths(const py::object& module, const std::string& prefix, py::dict& found) {
  base::check_stack("a module in modules");
  std::unordered_set<PyObject*> seen;
  for_each_entry(get(module, names().modules), [&](py::handle name, py::handle child) {
    if (child.is_none() || !seen.insert(child.ptr()).second) return;
    std::string path = prefix + "." + name.cast<std::string>();
    found[child] = path;
    add_paths(py::reinterpret_borrow<py::object>(child), path, found);
  });
}

/// {module: "__module.layer1.conv"} of all below the module: the last path of one that is met
/// twice.
py::dict module_paths(const py::object& module) {
  py::dict found;
  add_paths(module, "__module", found);
  return found;
}

}  // namespace

void add_traced_objects(py::module_& module) {
  module.def("traced_object", traced_object);
  module.def("module_paths", module_paths);
}

}  // namespace assay::python
