#include "engine/python/bind/script.h"

#include <pybind11/stl.h>

#include "engine/archive/python_printer.h"
#include "engine/ir/passes/inline.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/graph.h"
#include "engine/python/bind/graph_types.h"
#include "engine/python/bind/script_containers.h"
#include "engine/python/bind/script_names.h"
#include "engine/python/bind/script_object.h"
#include "engine/python/bind/script_program.h"
#include "engine/python/bind/trace.h"

namespace py = pybind11;

namespace assay::python {
namespace {

/// A piece of a file, as Python gives it: (text, file name, first line).
PythonText piece(const py::tuple& source) {
  return {source[0].cast<std::string>(), source[1].cast<std::string>(), source[2].cast<int>()};
}

std::optional<PythonText> optional_piece(const std::optional<py::tuple>& source) {
  if (!source) return std::nullopt;
  return piece(*source);
}

core::Values values_of(const py::args& args) {
  core::Values values;
  for (py::handle arg : args) values.push_back(to_value(arg.ptr()));
  return values;
}

interp::Keywords keywords_of(const py::kwargs& kwargs) {
  interp::Keywords keywords;
  for (const auto& [name, value] : kwargs) {
    keywords.emplace_back(name.cast<std::string>(), to_value(value.ptr()));
  }
  return keywords;
}

py::object object_of(const core::Value& value) {
  return py::reinterpret_steal<py::object>(checked(from_value(value)).release());
}

std::string schema_text(const ir::Function& function) {
  return function.name() + function.schema().str().substr(function.schema().name.size());
}

/// A compiled function; methods are called through their objects.
struct ScriptFunction {
  std::string name;
  ir::Function& get() const { return script_program().unit().function(name); }

  py::object call(const py::args& args, const py::kwargs& kwargs) const {
    ir::Function& function = get();
    core::Values complete = bind_sharing(function.schema(), values_of(args), keywords_of(kwargs));
    return object_of(call_compiled(function, complete, [&] {
      return script_program().program()->interpreter.run(function, complete);
    }));
  }
  std::string code() const {
    archive::PythonContext context;
    archive::PythonPrinter printer(context, script_program().unit());
    printer.print_function(get());
    return printer.text().text;
  }
};

/// A module whose `forward` is the function: what an archive of the function holds.
ScriptObject placeholder_of(const ScriptFunction& function) {
  ir::Unit& unit = script_program().unit();
  auto type =
      std::make_shared<core::ClassType>(unit.unique_name("__torch__.PlaceholderModule"), true);
  unit.define_class(type);
  type->add_attribute("training", core::bool_type());
  auto graph = function.get().graph().copy();
  ir::Value* self = graph->block()->insert_param(0, type);
  self->set_name("self");
  unit.define_function(type->qualified_method("forward"), graph);
  type->add_method("forward");
  auto object = base::make_ref<core::Object>(type);
  object->set_attribute("training", core::Value(true));
  return ScriptObject(api::Module(engine(), script_program().program(), object));
}

/// A module's class under construction.
struct ModuleType {
  std::shared_ptr<PythonModule> module;
  core::ClassType& type() const { return *module->type; }

  static ModuleType make(const std::string& wanted, const std::string& kind, py::object shape) {
    using Kind = script::OutsideModule::Kind;
    Kind found = Kind::plain;
    if (kind == "list") found = Kind::module_list;
    if (kind == "dict") found = Kind::module_dict;
    if (kind == "parameters") found = Kind::parameter_list;
    if (kind == "parameter dict") found = Kind::parameter_dict;
    ir::Unit& unit = script_program().unit();
    auto type = std::make_shared<core::ClassType>(unit.unique_name(wanted), true);
    unit.define_class(type);
    return {std::make_shared<PythonModule>(type, found, std::move(shape))};
  }

  /// Of a module that is compiled already: traced, most likely.
  static ModuleType of(const ScriptObject& object, py::object shape) {
    core::ClassTypePtr type = object.lent()->type;
    bool known = script_program().unit().find_class(type->name()) == type;
    base::check(known, "a module that was loaded from an archive cannot be part of one that is ",
                "compiled now: ", type->name());
    using Kind = script::OutsideModule::Kind;
    return {std::make_shared<PythonModule>(type, Kind::plain, std::move(shape))};
  }
  /// A submodule whose attribute is there already.
  void know_submodule(const std::string& name, const ModuleType& submodule) {
    module->add(name, submodule.module);
  }

  void add_attribute(const std::string& name, const std::string& text, const std::string& role) {
    using Role = core::ClassType::Role;
    Role found = role == "parameter" ? Role::parameter
                 : role == "buffer"  ? Role::buffer
                                     : Role::attribute;
    type().add_attribute(name, script_program().type_of(text), found);
  }
  void add_submodule(const std::string& name, const ModuleType& submodule) {
    type().add_attribute(name, submodule.module->type);
    module->add(name, submodule.module);
  }
  void add_constant(const std::string& name, py::handle value, const std::string& text) {
    type().add_constant(name, to_value(value.ptr(), script_program().type_of(text)));
  }
  std::string define(const py::tuple& source, py::object names, py::dict defaults,
                     const std::string& wanted, const std::string& role,
                     const std::optional<py::tuple>& declaration) {
    using Role = script::detail::Definer::Role;
    Role found = role == "hook" ? Role::hook : role == "pre hook" ? Role::pre_hook : Role::method;
    std::string name = script_program().define_method(module->type, piece(source), std::move(names),
                                                      std::move(defaults), module, wanted, found,
                                                      optional_piece(declaration));
    if (found == Role::hook) type().hooks.push_back(name);
    if (found == Role::pre_hook) type().pre_hooks.push_back(name);
    return name;
  }
  /// A hook that is registered once more runs once more.
  void repeat_hook(const std::string& name, const std::string& role) const {
    (role == "hook" ? type().hooks : type().pre_hooks).push_back(name);
  }
  /// Methods and hooks that are defined and not compiled yet, in order of definition.
  std::vector<std::string> pending() const {
    std::vector<std::string> names;
    const core::ClassType& built = type();
    for (const auto* group : {&built.methods(), &built.hooks, &built.pre_hooks}) {
      for (const std::string& name : *group) {
        if (!script_program().unit().method(type(), name).is_defined()) names.push_back(name);
      }
    }
    return names;
  }
  void compile(const std::string& method) const {
    script_program().unit().method(type(), method).graph();
  }
  ScriptFunction function(const std::string& method) const {
    return {type().qualified_method(method)};
  }
  py::object create() const {
    return object_of(core::Value(base::make_ref<core::Object>(module->type)));
  }
};

void bind_functions(py::module_& m) {
  py::class_<ScriptFunction>(m, "CompiledFunction")
      .def_readonly("qualified_name", &ScriptFunction::name)
      .def("__call__", &ScriptFunction::call)
      .def_property_readonly("name", [](const ScriptFunction& f) { return f.get().name(); })
      .def_property_readonly(
          "graph", [](const ScriptFunction& f) { return graph_object(f.get().shared_graph()); })
      .def_property_readonly("inlined_graph",
                             [](const ScriptFunction& f) {
                               return graph_object(ir::inlined(f.get(), script_program().unit()));
                             })
      .def("placeholder", placeholder_of)
      .def_property_readonly("types",
                             [](const ScriptFunction& f) {
                               const ops::Schema& schema = f.get().schema();
                               py::list taken;
                               for (const auto& each : schema.arguments)
                                 taken.append(type_object(each.type));
                               return py::make_tuple(taken, type_object(schema.returns.at(0).type));
                             })
      .def_property_readonly("code", &ScriptFunction::code)
      .def_property_readonly("code_with_constants",
                             [](const ScriptFunction& f) {
                               return code_with_constants(f.get(), script_program().unit(), false);
                             })
      .def_property_readonly("schema",
                             [](const ScriptFunction& f) { return schema_text(f.get()); });
  m.def("compiled_function", [](const std::string& name) { return ScriptFunction{name}; });
  m.def("script_function",
        [](const std::string& name, const py::tuple& source, py::object names, py::dict defaults) {
          return ScriptFunction{script_program().define_function(
              name, piece(source), std::move(names), std::move(defaults))};
        });
  m.def("script_source", [](const py::tuple& source, py::object names) {
    script_program().define_source(piece(source), std::move(names));
  });
  m.def("script_class", [](const std::string& name, const std::string& base,
                           const py::list& methods, py::object names) {
    std::vector<ScriptProgram::Method> all;
    for (py::handle item : methods) {
      auto method = item.cast<py::tuple>();
      all.push_back({piece(method[0].cast<py::tuple>()), method[1].cast<py::dict>(),
                     method[2].cast<std::string>(), method[3].cast<bool>()});
    }
    script_program().define_class(name, base, all, std::move(names));
  });
  m.def("script_class_name",
        [](const std::string& name) { return script_program().unit().unique_name(name); });
  m.def("script_overload", [](const std::string& name, const py::tuple& source,
                              const py::tuple& declaration, py::object names, py::dict defaults) {
    return ScriptFunction{script_program().define_function(
        name, piece(source), std::move(names), std::move(defaults), piece(declaration))};
  });
  m.def("script_named_tuple", [](const std::string& name, const std::vector<std::string>& fields,
                                 const std::vector<std::string>& types) {
    std::vector<core::TypePtr> members;
    for (const std::string& type : types) members.push_back(script_program().type_of(type));
    std::string unique = script_program().unit().unique_name(name);
    script_program().unit().define_type(core::named_tuple(unique, members, fields));
    return unique;
  });
  m.def("script_enum", [](const std::string& name, const py::dict& members,
                          const std::string& value_type) {
    std::string unique = script_program().unit().unique_name(name);
    auto type = std::make_shared<core::EnumType>(unique, script_program().type_of(value_type));
    for (const auto& [member, value] : members) {
      core::Value held = to_value(value.ptr(), type->value_type());
      type->members.push_back(
          {member.cast<std::string>(), std::make_shared<const core::Value>(held)});
    }
    script_program().unit().define_type(type);
    return unique;
  });
  // Libraries say with it that they are used, which nobody here wants to know.
  m.def("_log_api_usage_once", [](const py::args&) {});
  m.def("script_type_text",
        [](const std::string& text) { return script_program().type_of(text)->annotation(); });
}

void bind_module_type(py::module_& m) {
  py::class_<ModuleType>(m, "ModuleType")
      .def(py::init(&ModuleType::make))
      .def_property_readonly("name", [](const ModuleType& t) { return t.type().name(); })
      .def_static("of", &ModuleType::of)
      .def("know_submodule", &ModuleType::know_submodule)
      .def("add_attribute", &ModuleType::add_attribute)
      .def("add_submodule", &ModuleType::add_submodule)
      .def("add_constant", &ModuleType::add_constant)
      .def("define", &ModuleType::define)
      .def("compile", &ModuleType::compile)
      .def("repeat_hook", &ModuleType::repeat_hook)
      .def("pending", &ModuleType::pending)
      .def("function", &ModuleType::function)
      .def("methods", [](const ModuleType& t) { return t.type().methods(); })
      .def("create", &ModuleType::create);
}

/// An error of a program that runs: as PyTorch, where it happened, innermost last, then what did.
std::string interpreter_text(const base::Error& error, const std::string& name) {
  std::string out =
      "The following operation failed in the TorchScript interpreter.\n"
      "Traceback of TorchScript (most recent call last):\n";
  const auto& calls = error.context();
  for (size_t i = calls.size(); i-- > 1;) out += "  " + calls[i] + "\n";
  out += error.range().picture() + "\n";
  bool named = error.message().starts_with(name + ": ");
  return out + (named ? "" : name + ": ") + error.message();
}

std::string raised_text(const base::Error& error) {
  // Python's own by their plain names, others as their modules name them.
  std::string name = error.raised_class();
  for (std::string_view prefix : {"builtins.", "__torch__."}) {
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  }
  return interpreter_text(error, name);
}

}  // namespace

void add_script(PyObject* module) {
  auto m = py::reinterpret_borrow<py::module_>(module);
  // What a program raises by itself; torch.jit.Error.
  static py::handle raised = PyErr_NewException("torch.jit.Error", PyExc_Exception, nullptr);
  m.add_object("ScriptError", raised);
  // An error with a place in the source shows it.
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const base::Error& error) {
      if (!error.raised_class().empty()) {
        return PyErr_SetString(raised.ptr(), raised_text(error).c_str());
      }
      if (!error.context().empty() && error.kind() == base::ErrorKind::input) {
        return PyErr_SetString(PyExc_RuntimeError, interpreter_text(error, "RuntimeError").c_str());
      }
      if (!error.range()) return set_caught_error();
      bool input = error.kind() == base::ErrorKind::input;
      PyErr_SetString(input ? PyExc_RuntimeError : PyExc_NotImplementedError,
                      error.describe().c_str());
    } catch (const Raised&) {
      // The Python error is set.
    }
  });
  bind_functions(m);
  bind_module_type(m);
  add_script_objects(m);
  add_graphs(m);
}

}  // namespace assay::python
