#include "engine/python/bind/script_names.h"

#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/script_program.h"
#include "engine/script/type_parser.h"

namespace py = pybind11;

namespace assay::python {
namespace {

using base::SourceRange;
using script::StaticValue;
using script::StaticValuePtr;
using script::detail::Actuals;
using script::detail::Emission;

std::string text_at(const py::tuple& description, size_t at) {
  return description[at].cast<std::string>();
}

/// A module of Python's, as a namespace.
class Namespace final : public StaticValue {
 public:
  Namespace(std::string name, py::object member)
      : name_(std::move(name)), member_(std::move(member)) {}
  std::string kind() const override { return "the module " + name_; }
  StaticValuePtr attribute(Emission& emission, const Range& range,
                           const std::string& name) override {
    py::object found = asking_python([&] { return member_(name); });
    if (found.is_none()) refuse(range, "object has no attribute ", name);
    return from_description(found, emission, range);
  }
  bool has_attribute(Emission&, const Range&, const std::string& name) override {
    return !asking_python([&] { return member_(name); }).is_none();
  }

 private:
  std::string name_;
  py::object member_;
};

/// torch.FloatTensor and the like: of sizes that are ints, or of data.
class LegacyTensor final : public StaticValue {
 public:
  LegacyTensor(std::string name, int64_t dtype) : name_(std::move(name)), dtype_(dtype) {}
  std::string kind() const override { return "the type torch." + name_; }
  StaticValuePtr call(Emission& emission, const Range& range, const Actuals& args,
                      const Actuals& kwargs) override {
    if (!kwargs.empty()) refuse(range, "takes no argument by name: ", kwargs[0].name);
    std::vector<ir::Value*> values;
    for (const auto& arg : args) values.push_back(arg.get(emission));
    bool sizes = std::all_of(values.begin(), values.end(), [](const ir::Value* value) {
      return value->type()->is(core::TypeKind::integer);
    });
    if (!sizes && values.size() > 1) {
      refuse(range, "was given multiple positional arguments that were not all integers");
    }
    if (values.empty()) values.push_back(emission.constant(int64_t{0}));
    ir::Value* given = sizes ? emission.list(core::int_type(), values) : values[0];
    Actuals dtype{{emission.constant(dtype_), "dtype"}};
    return script::detail::simple(script::detail::call_operator(
        emission, {}, sizes ? "aten::empty" : "aten::tensor", {{given}}, dtype));
  }

 private:
  std::string name_;
  int64_t dtype_;
};

/// One of two functions, by the value of an argument that is known while compiling.
class Switch final : public StaticValue {
 public:
  explicit Switch(py::tuple description) : description_(std::move(description)) {}
  std::string kind() const override { return "the function " + text_at(description_, 1); }
  StaticValuePtr call(Emission& emission, const Range& range, const Actuals& args,
                      const Actuals& kwargs) override {
    bool on = description_[4].cast<bool>();
    std::string parameter = text_at(description_, 2);
    size_t position = description_[3].cast<size_t>();
    auto read = [&](const script::detail::Actual& given) {
      auto known = ir::constant_value(given.get(emission));
      if (!known || !known->is_bool()) {
        refuse(range, "needs a constant for '", parameter, "': which function is called depends ",
               "on it");
      }
      on = known->to_bool();
    };
    if (position < args.size()) read(args[position]);
    for (const auto& kwarg : kwargs) {
      if (kwarg.name == parameter) read(kwarg);
    }
    py::object chosen = asking_python([&] { return description_[on ? 5 : 6](); });
    return from_description(chosen, emission, range)->call(emission, range, args, kwargs);
  }

 private:
  py::tuple description_;
};

/// A class, whose static methods Python knows.
class PythonClass final : public StaticValue {
 public:
  PythonClass(core::ClassTypePtr type, py::object static_method)
      : class_(std::move(type)), static_method_(std::move(static_method)) {}
  std::string kind() const override { return class_.kind(); }
  StaticValuePtr attribute(Emission& emission, const Range& range,
                           const std::string& name) override {
    py::object found = asking_python([&] { return static_method_(name); });
    if (!found.is_none()) return from_description(found, emission, range);
    return class_.attribute(emission, range, name);
  }
  StaticValuePtr call(Emission& emission, const Range& range, const Actuals& args,
                      const Actuals& kwargs) override {
    return class_.call(emission, range, args, kwargs);
  }

 private:
  script::detail::ClassValue class_;
  py::object static_method_;
};

/// A function that compiled code must not call: the call raises.
class Dropped final : public StaticValue {
 public:
  explicit Dropped(ops::Schema schema) : schema_(std::move(schema)) {}
  std::string kind() const override { return "the unused function " + schema_.name; }
  StaticValuePtr call(Emission& emission, const Range& range, const Actuals& args,
                      const Actuals& kwargs) override {
    auto call = script::detail::match_schema(emission, range, schema_, args, kwargs);
    ir::Value* message =
        emission.constant("This Python function is annotated to be ignored and cannot be run");
    script::detail::call_operator(emission, range, "prim::RaiseException", {{message}});
    return script::detail::simple(emission.uninitialized(call.returns.at(0)));
  }

 private:
  ops::Schema schema_;
};

/// A function that gets the module as its first argument.
class Bound final : public StaticValue {
 public:
  Bound(StaticValuePtr function, ir::Value* self) : function_(std::move(function)), self_(self) {}
  std::string kind() const override { return function_->kind(); }
  StaticValuePtr call(Emission& emission, const Range& range, const Actuals& args,
                      const Actuals& kwargs) override {
    Actuals all{{self_}};
    all.insert(all.end(), args.begin(), args.end());
    return function_->call(emission, range, all, kwargs);
  }

 private:
  StaticValuePtr function_;
  ir::Value* self_;
};

StaticValuePtr outside_function(const py::tuple& description, ir::Value* module_self) {
  ScriptProgram& program = script_program();
  ops::Schema schema;
  schema.name = text_at(description, 1);
  bool bound = description[5].cast<bool>();
  schema.vararg = description[6].cast<bool>();
  for (py::handle item : description[3]) {
    auto parameter = item.cast<py::tuple>();
    ops::Argument argument;
    argument.name = text_at(parameter, 0);
    bool self = bound && schema.arguments.empty();
    argument.type = self ? module_self->type() : program.type_of(text_at(parameter, 1));
    schema.arguments.push_back(std::move(argument));
  }
  schema.returns.push_back({"", program.type_of(text_at(description, 4)), {}, false, {}, {}});
  StaticValuePtr function;
  if (text_at(description, 0) == "dropped") {
    function = std::make_shared<Dropped>(schema);
  } else {
    std::string key = program.keep_outside(schema.name, description[2]);
    function = std::make_shared<script::detail::OutsideFunction>(schema.name, key, schema);
  }
  if (!bound) return function;
  return std::make_shared<Bound>(function, module_self);
}

core::Value constant(const py::tuple& description) {
  core::TypePtr type;
  if (!description[2].is_none()) type = script_program().type_of(text_at(description, 2));
  return to_value(py::object(description[1]).ptr(), type);
}

std::vector<StaticValuePtr> members(const py::handle& descriptions, Emission& emission,
                                    const SourceRange& range, ir::Value* module_self = nullptr) {
  std::vector<StaticValuePtr> all;
  for (py::handle item : descriptions) {
    all.push_back(from_description(item, emission, range, module_self));
  }
  return all;
}

StaticValuePtr class_value(const py::tuple& description) {
  std::string tag = text_at(description, 0), name = text_at(description, 1);
  ir::Unit& unit = script_program().unit();
  core::TypePtr type = unit.find_type(name);
  base::check(type != nullptr, "unknown class ", name);
  if (tag == "namedtuple") {
    core::Values defaults;
    auto given = description[2].cast<py::tuple>();
    size_t field = type->contained().size() - given.size();
    for (py::handle value : given) {
      defaults.push_back(to_value(value.ptr(), type->contained().at(field++)));
    }
    return std::make_shared<script::detail::NamedTupleConstructor>(type, std::move(defaults));
  }
  if (tag == "enum") return std::make_shared<script::detail::EnumClass>(type);
  auto found = unit.find_class(name);
  base::check(found != nullptr, "objects of ", name, " cannot be made");
  return std::make_shared<PythonClass>(found, description[2]);
}

}  // namespace

StaticValuePtr from_description(py::handle object, Emission& emission, const SourceRange& range,
                                ir::Value* module_self) {
  namespace detail = script::detail;
  if (object.is_none()) return nullptr;
  auto description = object.cast<py::tuple>();
  std::string tag = text_at(description, 0);
  if (tag == "constant") return detail::simple(emission.constant(constant(description), range));
  if (tag == "tuple") {
    return std::make_shared<detail::StaticTuple>(members(description[1], emission, range));
  }
  if (tag == "overloads") {
    std::vector<std::shared_ptr<detail::Callable>> choices;
    for (const auto& choice : members(description[2], emission, range, module_self)) {
      choices.push_back(std::dynamic_pointer_cast<detail::Callable>(choice));
    }
    return std::make_shared<detail::OverloadedValue>(text_at(description, 1), std::move(choices));
  }
  if (tag == "switch") return std::make_shared<Switch>(description);
  if (tag == "outside" || tag == "dropped") return outside_function(description, module_self);
  if (tag == "operators") return std::make_shared<detail::OperatorLibraries>();
  if (tag == "namespace") {
    return std::make_shared<Namespace>(text_at(description, 1), description[2]);
  }
  std::string name = text_at(description, 1);
  if (tag == "builtin") return std::make_shared<detail::BuiltinFunction>(base::Symbol(name));
  if (tag == "form") return std::make_shared<detail::SpecialForm>(base::Symbol(name));
  if (tag == "exception") {
    return std::make_shared<detail::ExceptionClass>(name.substr(name.rfind('.') + 1), name);
  }
  if (tag == "tensor of") {
    return std::make_shared<LegacyTensor>(
        name, to_value(py::object(description[2]).ptr(), core::int_type()).to_int());
  }
  if (tag == "opaque") return std::make_shared<detail::OpaqueValue>(name);
  if (tag == "function") {
    return std::make_shared<detail::FunctionValue>(script_program().unit().function(name));
  }
  if (tag == "method") return std::make_shared<detail::MethodValue>(module_self, name);
  if (tag == "property") {
    return detail::MethodValue(module_self, name).call(emission, range, {}, {});
  }
  if (tag == "library") return std::make_shared<detail::OperatorNamespace>(name);
  if (tag == "member") {
    return detail::EnumClass(script_program().type_of(name))
        .attribute(emission, range, text_at(description, 2));
  }
  return class_value(description);
}

StaticValuePtr PythonModule::member(Emission& emission, const SourceRange& range, ir::Value* self,
                                    const std::string& name) {
  py::object found = asking_python([&] { return shape_.attr("member")(name); });
  return from_description(found, emission, range, self);
}

std::string PythonModule::why_missing(const std::string& name) const {
  return asking_python([&] { return shape_.attr("why_missing")(name).cast<std::string>(); });
}

StaticValuePtr PythonNames::resolve_value(const std::string& name, Emission& emission,
                                          const SourceRange& range) {
  py::object found = asking_python([&] { return names_.attr("value")(name); });
  return from_description(found, emission, range);
}

core::TypePtr PythonNames::resolve_type(const std::string& name, const SourceRange&) {
  // Names that the compiler itself gave to types, in texts that Python made of annotations.
  if (name.starts_with("__torch__.")) return unit_.find_type(name);
  py::object found = asking_python([&] { return names_.attr("type")(name); });
  if (found.is_none()) return nullptr;
  auto text = found.cast<std::string>();
  // A class of modules has a type once one of its objects was compiled.
  return text.starts_with("__torch__.") ? unit_.find_type(text) : script_program().type_of(text);
}

StaticValuePtr PythonNames::self_value(ir::Value* self) {
  if (!module) return nullptr;
  return std::make_shared<script::detail::ModuleValue>(self, module);
}

std::optional<core::Value> PythonNames::default_value(const script::FunctionDef& of,
                                                      const script::Param& parameter,
                                                      const core::TypePtr& type) {
  if (&of != def || !defaults.contains(parameter.name.c_str())) return std::nullopt;
  py::object given = defaults[parameter.name.c_str()];
  auto value = value_from(given.ptr(), type);
  // One number for a list of them (BroadcastingList2): as the source writes it.
  if (!value && (is_overload || type->is(core::TypeKind::list))) return std::nullopt;
  if (!value) {
    base::fail_at(parameter.range, "the default value of '", parameter.name, "' is no ",
                  type->annotation());
  }
  return value;
}

}  // namespace assay::python
