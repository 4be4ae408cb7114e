#include "engine/python/bind/script_program.h"

#include <fmt/core.h>

#include "engine/archive/python_printer.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/script_names.h"
#include "engine/script/parser.h"

namespace py = pybind11;

namespace assay::python {

/// The names of a Python function, and what puts its definition into the unit.
struct ScriptProgram::Definition {
  Definition(ir::Unit& unit, py::object outside)
      : names(unit, std::move(outside)), definer(unit, names) {}
  PythonNames names;
  script::detail::Definer definer;
};

namespace {

std::shared_ptr<const base::Source> source_of(const PythonText& text) {
  auto source = std::make_shared<base::Source>();
  source->text = text.text;
  source->name = text.file;
  source->first_line = text.first_line;
  return source;
}

// As PyTorch, although nothing would stand against it: what compiles here has to compile there.
void refuse_keyword_defaults(const script::FunctionDef& def) {
  for (const auto& parameter : def.params) {
    if (!parameter.keyword_only || !parameter.default_value) continue;
    base::fail_at(parameter.range, "a compiled function cannot have a keyword-only parameter with ",
                  "a default value");
  }
}

using FunctionTree = std::shared_ptr<const script::FunctionDef>;

FunctionTree parse_function(const PythonText& text) {
  auto source = source_of(text);
  for (const auto& statement : script::parse_module(source, script::Reader::python)) {
    if (statement->kind != script::StmtKind::def) continue;
    refuse_keyword_defaults(*statement->function);
    return statement->function;
  }
  base::fail_at({source, 0, source->text.size()}, "expected the definition of a function here");
}

/// Each text is parsed once: a class's methods are compiled for every shape of its modules.
FunctionTree function_in(const PythonText& text) {
  static auto* known = new std::unordered_map<std::string, FunctionTree>();
  std::string key = fmt::format("{}:{}:{}", text.file, text.first_line, text.text);
  auto found = known->find(key);
  if (found != known->end()) return found->second;
  FunctionTree tree = parse_function(text);
  known->emplace(std::move(key), tree);
  return tree;
}

FunctionTree function_in(const PythonText& text, const std::optional<PythonText>& declaration) {
  FunctionTree tree = function_in(text);
  if (!declaration) return tree;
  auto overload = std::make_shared<script::FunctionDef>(*tree);
  FunctionTree declared = function_in(*declaration);
  overload->params = declared->params;
  // A default is the body's, as far as it is of the declared type; only one number may stand for
  // a list of them, which the source says.
  for (script::Param& parameter : overload->params) {
    using Kind = script::ExprKind;
    bool number = parameter.default_value && (parameter.default_value->kind == Kind::number);
    if (!number) parameter.default_value = nullptr;
  }
  overload->return_annotation = declared->return_annotation;
  return overload;
}

std::shared_ptr<const script::FunctionDef> definition_of(const ScriptProgram::Method& method) {
  auto def = std::make_shared<script::FunctionDef>(*function_in(method.source));
  if (!method.name.empty()) def->name = method.name;
  // What stands for the class in the body is a name outside; the object is passed all the same.
  if (method.of_class && !def->params.empty()) def->params[0].name += "_object";
  return def;
}

/// As PyTorch: a UserWarning of the line that warns, whatever its stacklevel says.
void show_warning(const std::string& message, const base::SourceRange& range) {
  Owned said = text(message);
  if (!range) {
    checked(PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1));
    return;
  }
  Owned file = text(range.source->name);
  checked(PyErr_WarnExplicitObject(PyExc_UserWarning, said.get(), file.get(), range.line(), nullptr,
                                   nullptr));
}

}  // namespace

ScriptProgram::ScriptProgram() : program_(std::make_shared<api::Program>(context())) {
  program_->interpreter.set_outside(
      [this](const std::string& key, const core::Values& args, const core::TypePtr& result) {
        return call_outside(key, args, result);
      });
  show_in_python(program_->interpreter);
}

py::tuple code_with_constants(ir::Function& function, ir::Unit& unit, bool of_class) {
  archive::PythonContext context;
  archive::PythonPrinter printer(context, unit);
  printer.print_function(function, !of_class);
  py::list constants;
  for (const core::Value& value : context.constants) {
    constants.append(py::reinterpret_steal<py::object>(checked(from_value(value)).release()));
  }
  return py::make_tuple(printer.text().text, constants);
}

void show_in_python(interp::Interpreter& interpreter) {
  interpreter.set_print([](std::string_view line) {
    py::print(py::str(line.data(), line.size()), py::arg("end") = "");
  });
  interpreter.set_warn(show_warning);
}

ScriptProgram& script_program() {
  static auto* program = new ScriptProgram();
  return *program;
}

ScriptProgram::Definition& ScriptProgram::add(py::object names, py::dict defaults) {
  definitions_.push_back(std::make_unique<Definition>(unit(), std::move(names)));
  definitions_.back()->names.defaults = std::move(defaults);
  return *definitions_.back();
}

std::string ScriptProgram::define_function(const std::string& wanted, const PythonText& text,
                                           py::object names, py::dict defaults,
                                           const std::optional<PythonText>& declaration) {
  auto def = function_in(text, declaration);
  Definition& definition = add(std::move(names), std::move(defaults));
  definition.names.def = def.get();
  definition.names.is_overload = declaration.has_value();
  std::string name = unit().unique_name(wanted);
  definition.definer.define_function(name, def);
  try {
    unit().function(name).graph();
  } catch (...) {
    unit().remove_function(name);
    throw;
  }
  return name;
}

void ScriptProgram::define_source(const PythonText& text, py::object names) {
  Definition& definition = add(names, {});
  std::vector<std::string> defined;
  for (const auto& statement : script::parse_module(source_of(text))) {
    if (statement->kind != script::StmtKind::def) {
      base::fail_at(statement->range, "a source consists of functions only");
    }
    defined.push_back(unit().unique_name("__torch__." + statement->function->name));
    names.attr("defined")(statement->function->name, defined.back());
    definition.definer.define_function(defined.back(), statement->function);
  }
  try {
    for (const std::string& name : defined) unit().function(name).graph();
  } catch (...) {
    for (const std::string& name : defined) unit().remove_function(name);
    throw;
  }
}

std::string ScriptProgram::define_method(const core::ClassTypePtr& owner, const PythonText& text,
                                         py::object names, py::dict defaults,
                                         std::shared_ptr<PythonModule> module,
                                         const std::string& name,
                                         script::detail::Definer::Role role,
                                         const std::optional<PythonText>& declaration) {
  FunctionTree def = function_in(text, declaration);
  if (!name.empty() && name != def->name) {
    auto renamed = std::make_shared<script::FunctionDef>(*def);
    renamed->name = name;
    def = renamed;
  }
  Definition& definition = add(std::move(names), std::move(defaults));
  definition.names.def = def.get();
  definition.names.module = std::move(module);
  definition.definer.define_method(owner, def, role);
  return def->name;
}

void ScriptProgram::define_class(const std::string& name, const std::string& base,
                                 const std::vector<Method>& methods, py::object names) {
  auto def = std::make_shared<script::ClassDef>();
  def->name = name.substr(name.rfind('.') + 1);
  if (!base.empty()) {
    auto derived = std::make_shared<script::Expr>();
    derived->kind = script::ExprKind::name;
    derived->text = base;
    def->bases.push_back(derived);
    for (const Method& method : methods) {
      auto statement = std::make_shared<script::Stmt>();
      statement->kind = script::StmtKind::def;
      statement->function = function_in(method.source);
      statement->range = statement->function->range;
      def->body.push_back(statement);
    }
    return add(std::move(names), {}).definer.define_class(name, def);
  }
  auto type = std::make_shared<core::ClassType>(name, false);
  unit().define_class(type);
  std::vector<std::shared_ptr<const script::FunctionDef>> parsed;
  for (const Method& method : methods) {
    parsed.push_back(definition_of(method));
    type->add_method(parsed.back()->name);
  }
  for (size_t i = 0; i < methods.size(); ++i) {
    Definition& definition = add(names, methods[i].defaults);
    definition.names.def = parsed[i].get();
    definition.definer.define_method(type, parsed[i], script::detail::Definer::Role::hook);
  }
  // __init__ declares the attributes that other methods use.
  if (type->has_method("__init__")) unit().method(*type, "__init__").graph();
  for (const std::string& method : type->methods()) unit().method(*type, method).graph();
}

void ScriptProgram::forget_classes(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    core::ClassTypePtr type = unit().find_class(name);
    if (!type) continue;
    for (const std::string& method : type->methods()) {
      program_->interpreter.forget(unit().method(*type, method));
    }
  }
  unit().forget_classes(names);
}

core::TypePtr ScriptProgram::type_of(const std::string& text) const {
  // A type's text always means the same, except for names of classes.
  static auto* known = new std::unordered_map<std::string, core::TypePtr>();
  auto found = known->find(text);
  if (found != known->end()) return found->second;
  script::TypeParser types([this](const std::string& name, const base::SourceRange&) {
    return name.starts_with("__torch__.") ? unit().find_type(name) : nullptr;
  });
  core::TypePtr type = types.parse(text);
  if (text.find("__torch__") == std::string::npos) known->emplace(text, type);
  return type;
}

std::string ScriptProgram::keep_outside(const std::string& name, py::object function) {
  std::string key = name + "#" + std::to_string(outside_.size());
  outside_.emplace(key, std::move(function));
  return key;
}

core::Value ScriptProgram::call_outside(const std::string& key, const core::Values& args,
                                        const core::TypePtr& result) {
  return asking_python([&] {
    py::tuple given(args.size());
    for (size_t i = 0; i < args.size(); ++i) {
      given[i] = py::reinterpret_steal<py::object>(checked(from_value(args[i])).release());
    }
    py::object made = outside_.at(key)(*given);
    auto value = value_from(made.ptr(), result);
    base::check(value.has_value(), "a function of Python is declared to return ",
                result->annotation(), ", but instead got value of type ",
                Py_TYPE(made.ptr())->tp_name);
    return std::move(*value);
  });
}

}  // namespace assay::python
