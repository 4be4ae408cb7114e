#include "engine/python/bind/script_object.h"

#include <pybind11/stl.h>

#include <set>
#include <unordered_map>

#include "engine/api/load.h"
#include "engine/api/save.h"
#include "engine/ir/interface.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/freeze.h"
#include "engine/ir/passes/inline.h"
#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/graph.h"
#include "engine/python/bind/script_adopt.h"
#include "engine/python/bind/script_containers.h"
#include "engine/python/bind/script_program.h"
#include "engine/python/bind/trace.h"
#include "engine/python/bind/trace_hooks.h"

namespace py = pybind11;

namespace assay::python {
namespace {

using core::TypeKind;
using core::Value;

/// The program that values which are converted now belong to; null for the one of this process.
const ScriptObject* converting = nullptr;

py::object to_python(const ScriptObject& owner, const Value& value) {
  const ScriptObject* before = std::exchange(converting, &owner);
  PyObject* made = nullptr;
  try {
    made = from_value(value);
  } catch (...) {
    converting = before;
    throw;
  }
  converting = before;
  if (!made) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

ScriptObject in_program(const core::ObjectRef& object) {
  return converting ? converting->with(object)
                    : ScriptObject(api::Module(engine(), script_program().program(), object));
}

std::unordered_map<std::string, py::object>& python_classes() {
  static auto* classes = new std::unordered_map<std::string, py::object>();
  return *classes;
}

/// The other way: the names of Python classes' compiled forms.
std::unordered_map<PyObject*, std::string>& compiled_classes() {
  static auto* names = new std::unordered_map<PyObject*, std::string>();
  return *names;
}

py::object python_class(const core::TypePtr& type) {
  auto found = python_classes().find(type->name());
  return found == python_classes().end() ? py::object() : found->second;
}

/// Whether values of a type can be objects, enums or named tuples, which only this file knows.
bool may_be_ours(const core::TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::any:
    case TypeKind::class_:
    case TypeKind::interface:
    case TypeKind::enumeration:
      return true;
    case TypeKind::optional:
    case TypeKind::union_:
    case TypeKind::list:
    case TypeKind::tuple:
    case TypeKind::dict:
      for (const auto& part : type->contained())
        if (may_be_ours(part)) return true;
      return false;
    default:
      return false;
  }
}

std::optional<Value> enum_from(py::handle object, const core::EnumType& type) {
  if (!py::hasattr(object, "name")) return std::nullopt;
  auto name = object.attr("name").cast<std::string>();
  for (const auto& member : type.members) {
    if (member.name != name) continue;
    return Value(base::make_ref<core::EnumObject>(type.shared_from_this(), name, *member.value));
  }
  return std::nullopt;
}

/// A compiled object with the attributes of a Python object.
std::optional<Value> object_from(py::handle object, const core::TypePtr& wanted) {
  core::ClassTypePtr type = script_program().unit().find_class(wanted->name());
  if (!type || type->is_module()) return std::nullopt;
  py::object of = python_class(wanted);
  if (!of || !py::isinstance(object, of)) return std::nullopt;
  auto made = base::make_ref<core::Object>(type);
  for (const auto& attribute : type->attributes()) {
    const char* name = attribute.name.c_str();
    base::check(py::hasattr(object, name), "an object that is passed as ", type->name(),
                " lacks something: missing attribute ", name);
    py::object held = object.attr(name);
    auto value = value_from(held.ptr(), attribute.type);
    base::check(value.has_value(), "Could not cast attribute '", name, "' to type ",
                attribute.type->annotation(), ", as objects of ", type->name(),
                " have it: it is a ", class_name(held.ptr()));
    made->set_attribute(attribute.name, std::move(*value));
  }
  return Value(made);
}

std::optional<Value> list_from(py::handle object, const core::TypePtr& wanted) {
  core::Values items;
  for (py::handle item : object) {
    auto value = value_from(item.ptr(), wanted->element());
    if (!value) return std::nullopt;
    items.push_back(std::move(*value));
  }
  return Value(core::make_list(wanted->element(), std::move(items)));
}

/// An object of a program, if it is one of the class or interface that is wanted.
std::optional<Value> of_class(const ScriptObject& object, const core::TypePtr& wanted) {
  if (const core::InterfaceType* interface = core::as_interface(wanted)) {
    auto why_not = ir::why_not_implemented(script_program().unit(), object.type(), *interface);
    if (why_not) base::fail(*why_not);
  } else if (core::as_class(wanted) && !core::same_type(object.lent()->type, wanted)) {
    return std::nullopt;
  }
  return Value(object.lent());
}

std::optional<Value> value_of_ours(PyObject* raw, const core::TypePtr& wanted) {
  py::handle object(raw);
  if (is_container(object)) {
    core::Value held = container_value(object);
    if (!wanted || core::is_instance(held, wanted)) return held;
    return std::nullopt;
  }
  if (wanted && !may_be_ours(wanted)) return std::nullopt;
  if (py::isinstance<ScriptObject>(object)) {
    return of_class(object.cast<ScriptObject&>(), wanted ? wanted : core::any_type());
  }
  if (!wanted || wanted->is(TypeKind::any)) {
    auto compiled = compiled_classes().find(py::type::handle_of(object).ptr());
    if (compiled != compiled_classes().end()) {
      core::TypePtr type = script_program().unit().find_type(compiled->second);
      if (core::as_enum(type)) return enum_from(object, *core::as_enum(type));
      if (core::as_class(type)) return object_from(object, type);
    }
    if (py::hasattr(object, "_c") && py::isinstance<ScriptObject>(object.attr("_c"))) {
      return Value(object.attr("_c").cast<ScriptObject&>().lent());
    }
    return std::nullopt;
  }
  if (wanted->is(TypeKind::optional)) {
    if (object.is_none()) return Value();
    return value_of_ours(raw, wanted->element());
  }
  if (wanted->is(TypeKind::enumeration)) return enum_from(object, *core::as_enum(wanted));
  if (wanted->is(TypeKind::list) && PyList_Check(raw)) return list_from(object, wanted);
  if (wanted->is(TypeKind::class_) || wanted->is(TypeKind::interface)) {
    if (py::hasattr(object, "_c") && py::isinstance<ScriptObject>(object.attr("_c"))) {
      return of_class(object.attr("_c").cast<ScriptObject&>(), wanted);
    }
    return object_from(object, wanted);
  }
  return std::nullopt;
}

/// An object of a compiled class that is no module, as Python programs see it: its attributes and
/// methods are its own.
struct ScriptInstance {
  ScriptObject c;
};

PyObject* python_of_ours(const Value& value) {
  if (value.is_object()) {
    ScriptObject object = in_program(value.ref<core::Object>());
    if (object.type().is_module()) return py::cast(std::move(object)).release().ptr();
    return py::cast(ScriptInstance{std::move(object)}).release().ptr();
  }
  if (value.is_enum()) {
    py::object known = python_class(value.enumeration().type);
    if (!known) return nullptr;
    return py::object(known[py::str(value.enumeration().name)]).release().ptr();
  }
  if (value.is_tuple() && value.tuple().named) {
    py::object known = python_class(value.tuple().named);
    if (!known) return nullptr;
    py::tuple items(value.tuple().items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      items[i] =
          py::reinterpret_steal<py::object>(checked(from_value(value.tuple().items[i])).release());
    }
    return py::object(known(*items)).release().ptr();
  }
  return nullptr;
}

/// Copies a value and all that it holds; what occurs twice occurs twice in the copy.
struct DeepCopy {
  std::unordered_map<const void*, Value> done;

  Value of(const Value& value) {
    if (value.is_tensor()) return once(value.tensor_impl(), [&] { return tensor(value); });
    if (value.is_list()) {
      return once(&value.list(), [&] {
        core::Values items;
        for (const Value& item : value.list().items) items.push_back(of(item));
        return Value(core::make_list(value.list().element, std::move(items)));
      });
    }
    if (value.is_tuple()) {
      core::Values items;
      for (const Value& item : value.tuple().items) items.push_back(of(item));
      return base::make_ref<core::TupleObject>(std::move(items), value.tuple().named);
    }
    if (value.is_dict()) {
      return once(&value.dict(), [&] {
        auto made = core::make_dict(value.dict().key, value.dict().value);
        for (const auto& entry : value.dict().entries()) made->set(entry.key, of(entry.value));
        return Value(made);
      });
    }
    if (value.is_object()) {
      return once(&value.object(), [&] {
        auto made = base::make_ref<core::Object>(value.object().type);
        made->native = value.object().native;
        for (size_t i = 0; i < made->slots.size(); ++i)
          made->slots[i] = of(value.object().slots[i]);
        return Value(made);
      });
    }
    return value;
  }

  template <typename Make>
  Value once(const void* key, const Make& make) {
    auto found = done.find(key);
    if (found != done.end()) return found->second;
    return done[key] = make();
  }

  static Value tensor(const Value& value) {
    core::Values arguments{value, Value()};
    bool requires_grad = value.tensor_impl()->requires_grad;
    Value copy = ops::call(context(), ops::get_operator("aten::clone"), arguments)[0];
    copy.tensor_impl()->requires_grad = requires_grad;
    return copy;
  }
};

ScriptObject loaded(api::Module module) {
  show_in_python(module.interpreter());
  return ScriptObject(std::move(module));
}

}  // namespace

ScriptObject ScriptObject::with(const core::ObjectRef& object) const {
  return ScriptObject(module_.with(object), traced_);
}

const core::ObjectRef& ScriptObject::lent() const {
  if (traced_) traced_->keep();
  return object();
}

py::object ScriptObject::get(const std::string& name) const {
  return to_python(*this, object()->attribute(name));
}

void ScriptObject::set(const std::string& name, py::handle value) {
  auto slot = type().find_attribute(name);
  base::check(slot.has_value(), type().name(), " has no attribute '", name, "'");
  const core::TypePtr& wanted = type().attributes()[*slot].type;
  auto given = value_from(value.ptr(), wanted);
  bool ours = !given && py::isinstance<ScriptObject>(value);
  base::check(!ours, "Expected a value of type '", wanted->name(), "' for field '", name,
              "', but found one of type '",
              ours ? value.cast<ScriptObject&>().type().name() : std::string(), "'");
  object()->slots[*slot] = given ? std::move(*given) : to_value(value.ptr(), wanted);
}

py::object ScriptObject::call(const std::string& method, const py::tuple& args,
                              const py::dict& kwargs, bool hooks_too) {
  core::Values values;
  for (py::handle arg : args) values.push_back(to_value(arg.ptr()));
  interp::Keywords keywords;
  for (const auto& [name, value] : kwargs) {
    keywords.emplace_back(name.cast<std::string>(), to_value(value.ptr()));
  }
  bool whole = !trace_hooks && hooks_too && !shares(values);
  if (whole) {
    return to_python(*this,
                     following_gradients([&] { return module_.call(method, values, keywords); }));
  }
  values.insert(values.begin(), Value(trace_hooks ? lent() : object()));
  ir::Function& function = module_.function(method);
  core::Values complete = bind_sharing(function.schema(), values, keywords);
  return to_python(*this, call_compiled(function, complete, [&] {
    return module_.interpreter().run(function, complete);
  }));
}

ScriptObject ScriptObject::freeze(const std::vector<std::string>& preserved) {
  ir::Unit& unit = module_.unit();
  auto frozen = std::make_shared<core::ClassType>(unit.unique_name(type().name()), true);
  unit.define_class(frozen);
  std::vector<std::string> methods;
  if (type().has_method("forward")) methods.push_back("forward");
  std::set<std::string> kept;
  for (const std::string& name : preserved) {
    bool method = type().has_method(name);
    base::check(method || type().find_attribute(name), "the module has no '", name,
                "' that could be preserved");
    if (!method) kept.insert(name);
    if (method && name != "forward") methods.push_back(name);
  }
  std::vector<std::shared_ptr<ir::Graph>> graphs;
  for (const std::string& method : methods) {
    graphs.push_back(ir::inlined(module_.function(method), unit));
    ir::freeze(*graphs.back(), object());
    ir::remove_dead_code(*graphs.back());
    for (const ir::Use& use : graphs.back()->inputs()[0]->uses()) {
      if (use.user->has("name")) kept.insert(use.user->get<std::string>("name"));
    }
  }
  for (const auto& attribute : type().attributes()) {
    if (kept.count(attribute.name)) {
      frozen->add_attribute(attribute.name, attribute.type, attribute.role);
    }
  }
  for (size_t i = 0; i < methods.size(); ++i) {
    graphs[i]->inputs()[0]->set_type(frozen);
    ops::Schema schema = module_.schema(methods[i]);
    schema.arguments[0].type = frozen;
    unit.define_function(frozen->qualified_method(methods[i]), graphs[i]).set_schema(schema);
    frozen->add_method(methods[i]);
  }
  auto made = base::make_ref<core::Object>(frozen);
  for (const auto& attribute : frozen->attributes()) {
    made->set_attribute(attribute.name, object()->attribute(attribute.name));
  }
  return with(made);
}

ScriptObject ScriptObject::copy(bool deep) const {
  if (deep) return with(DeepCopy().of(Value(object())).ref<core::Object>());
  auto made = base::make_ref<core::Object>(object()->type);
  made->slots = object()->slots;
  made->native = object()->native;
  return with(made);
}

void remember_python_class(const std::string& name, py::object python_class) {
  compiled_classes()[python_class.ptr()] = name;
  python_classes()[name] = std::move(python_class);
}

namespace {

std::vector<std::pair<std::string, std::string>> attributes_of(const ScriptObject& self) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& attribute : self.type().attributes()) {
    using Role = core::ClassType::Role;
    const Value& value = self.object()->attribute(attribute.name);
    bool submodule = value.is_object() && value.object().type->is_module();
    all.emplace_back(attribute.name, submodule                           ? "submodule"
                                     : attribute.role == Role::parameter ? "parameter"
                                     : attribute.role == Role::buffer    ? "buffer"
                                                                         : "attribute");
  }
  return all;
}

std::vector<std::pair<std::string, ScriptObject>> submodules_of(const ScriptObject& self) {
  std::vector<std::pair<std::string, ScriptObject>> all;
  for (const auto& attribute : self.type().attributes()) {
    const Value& value = self.object()->attribute(attribute.name);
    if (!value.is_object() || !value.object().type->is_module()) continue;
    all.emplace_back(attribute.name, self.with(value.ref<core::Object>()));
  }
  return all;
}

/// The method's own graph; of a loaded program a copy, since nothing there notices an edit.
py::object graph_of(ScriptObject& self, const std::string& name) {
  ir::Function& function = self.module().function(name);
  bool own = &self.module().unit() == &script_program().unit();
  function.graph();
  return graph_object(own ? function.shared_graph() : function.graph().copy());
}

py::object attribute_or_method(const ScriptInstance& self, const std::string& name) {
  if (self.c.type().find_attribute(name)) return self.c.get(name);
  if (self.c.type().has_method(name)) {
    return py::cpp_function([c = self.c, name](const py::args& args, const py::kwargs& kwargs) {
      return ScriptObject(c).call(name, args, kwargs);
    });
  }
  std::string getter = "__" + name + "_getter";
  if (self.c.type().has_method(getter))
    return ScriptObject(self.c).call(getter, py::tuple(), py::dict());
  throw py::attribute_error("'" + self.c.type().name() + "' has no attribute '" + name + "'");
}

void set_attribute(ScriptInstance& self, const std::string& name, const py::object& value) {
  std::string setter = "__" + name + "_setter";
  bool property = !self.c.type().find_attribute(name) && self.c.type().has_method(setter);
  if (!property) return self.c.set(name, value);
  self.c.call(setter, py::make_tuple(value), py::dict());
}

py::object call_method(ScriptInstance& self, const std::string& name, const py::args& args) {
  return self.c.call(name, args, {});
}

api::LoadOptions load_options(const std::optional<std::string>& device) {
  api::LoadOptions options;
  if (device) options.map_location = core::parse_device(*device);
  return options;
}

}  // namespace

void add_script_objects(py::module_& m) {
  add_bridge({value_of_ours, python_of_ours});
  py::class_<ScriptObject>(m, "ScriptObject")
      .def_property_readonly("type_name",
                             [](const ScriptObject& o) { return o.lent()->type->name(); })
      .def("get", &ScriptObject::get)
      .def("set", &ScriptObject::set)
      .def("has", [](const ScriptObject& o,
                     const std::string& name) { return o.type().find_attribute(name).has_value(); })
      .def("has_method",
           [](const ScriptObject& o, const std::string& name) { return o.type().has_method(name); })
      .def("has_constant",
           [](const ScriptObject& o, const std::string& name) {
             return o.type().find_constant(name) != nullptr;
           })
      .def("constant",
           [](const ScriptObject& o, const std::string& name) {
             return to_python(o, *o.type().find_constant(name));
           })
      .def("methods", [](const ScriptObject& o) { return o.type().methods(); })
      .def("attributes", attributes_of)
      .def("submodules", submodules_of)
      .def("call", &ScriptObject::call, py::arg("method"), py::arg("args"), py::arg("kwargs"),
           py::arg("hooks_too") = true)
      .def_property_readonly("hooked", [](ScriptObject& o) { return o.module().is_hooked(); })
      .def("same",
           [](const ScriptObject& a, const ScriptObject& b) { return a.object() == b.object(); })
      .def("graph", graph_of)
      .def("inlined_graph",
           [](ScriptObject& o, const std::string& name) {
             return graph_object(ir::inlined(o.module().function(name), o.module().unit()));
           })
      .def("code", [](ScriptObject& o, const std::string& name) { return o.module().code(name); })
      .def("code_with_constants",
           [](ScriptObject& o, const std::string& name) {
             return code_with_constants(o.module().function(name), o.module().unit(), true);
           })
      .def("schema",
           [](ScriptObject& o, const std::string& name) { return o.module().schema(name).str(); })
      .def("save",
           [](ScriptObject& o, const std::string& path,
              const std::map<std::string, std::string>& extra) {
             api::save(o.module(), path, extra);
           })
      .def("save_bytes",
           [](ScriptObject& o, const std::map<std::string, std::string>& extra) {
             return py::bytes(api::save_bytes(o.module(), "archive", extra));
           })
      .def("freeze", &ScriptObject::freeze)
      .def("copy", [](const ScriptObject& o) { return o.copy(false); })
      .def("deepcopy", [](const ScriptObject& o) { return o.copy(true); })
      .def("__repr__",
           [](const ScriptObject& o) { return "<torch.ScriptObject " + o.type().name() + ">"; });
  py::class_<ScriptInstance>(m, "ScriptInstance")
      .def_property_readonly("_c", [](const ScriptInstance& o) { return o.c; })
      .def("__getattr__", attribute_or_method)
      .def("__setattr__", set_attribute)
      .def("__call__",
           [](ScriptInstance& o, const py::args& args) { return call_method(o, "__call__", args); })
      .def("__eq__",
           [](ScriptInstance& o, const py::object& other) -> py::object {
             if (o.c.type().has_method("__eq__")) {
               return call_method(o, "__eq__", py::args(py::make_tuple(other)));
             }
             bool same = py::isinstance<ScriptInstance>(other) &&
                         other.cast<ScriptInstance&>().c.object() == o.c.object();
             return py::bool_(same);
           })
      .def("__hash__",
           [](ScriptInstance& o) -> py::object {
             if (o.c.type().has_method("__hash__")) return call_method(o, "__hash__", {});
             return py::int_(std::hash<const void*>()(o.c.object().get()));
           })
      .def("__len__", [](ScriptInstance& o) { return call_method(o, "__len__", {}); })
      .def("__getitem__",
           [](ScriptInstance& o, const py::object& index) {
             return call_method(o, "__getitem__", py::args(py::make_tuple(index)));
           })
      .def("__repr__", [](const ScriptInstance& o) {
        return "<torch.ScriptObject " + o.c.type().name() + ">";
      });
  m.def("script_object", [](const std::string& name) {
    auto type = script_program().unit().find_class(name);
    base::check(type != nullptr, "unknown class ", name);
    return ScriptInstance{in_program(base::make_ref<core::Object>(type))};
  });
  m.def("script_load", [](const std::string& path, const std::optional<std::string>& device) {
    return loaded(api::load(engine(), path, load_options(device)));
  });
  m.def("script_load_bytes", [](const py::bytes& bytes, const std::optional<std::string>& device) {
    return loaded(api::load_bytes(engine(), std::string(bytes), load_options(device)));
  });
  add_script_containers(m);
  m.def("script_adopted", adopted);
  m.def("script_python_class", remember_python_class);
}

}  // namespace assay::python
