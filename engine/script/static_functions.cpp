#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"
#include "engine/script/library.h"
#include "engine/script/static_value.h"

// What can be called: operators, functions, methods, classes, exceptions.

namespace assay::script::detail {

namespace {

// A function that does not declare its result is compiled to find out.
const ops::Schema& signature_of(const ir::Function& function, const base::SourceRange& range) {
  try {
    return function.schema();
  } catch (base::Error& error) {
    throw error.at(range);
  }
}

Actuals with_self(ir::Value* self, const Actuals& args) {
  Actuals all{{self}};
  all.insert(all.end(), args.begin(), args.end());
  return all;
}

}  // namespace

bool has_method(base::Symbol name, const TypePtr& self) {
  for (const ops::Operator* op : ops::overloads(name)) {
    if (!op->has(ops::arg::self)) continue;
    const TypePtr& formal = op->schema.arguments[op->position(ops::arg::self)].type;
    ops::TypeVariables variables;
    if (ops::bind_type(formal, self, variables) &&
        core::is_subtype(self, ops::substitute(formal, variables))) {
      return true;
    }
  }
  return false;
}

StaticValuePtr BuiltinFunction::call(Emission& emission, const Range& range, const Actuals& args,
                                     const Actuals& kwargs) {
  return simple(call_operator(emission, range, name_, args, kwargs, self_));
}

StaticValuePtr CastFunction::call(Emission& emission, const Range& range, const Actuals& args,
                                  const Actuals& kwargs) {
  if (args.size() == 1 && kwargs.empty()) {
    ir::Value* zero = emission.constant(0);
    ir::Value* value = args[0].get(emission);
    const TypePtr& type = value->type();
    if (core::is_subtype(type, type_)) return simple(value);
    bool sized = type->is(TypeKind::list) || type->is(TypeKind::string) || type->is(TypeKind::dict);
    if (type_->is(TypeKind::boolean) && sized) {
      ir::Value* length = call_operator(emission, range, "aten::len", {{value}});
      return simple(call_operator(emission, range, "aten::gt", {{length}, {zero}}));
    }
  }
  return BuiltinFunction::call(emission, range, args, kwargs);
}

StaticValuePtr MagicMethod::call(Emission& emission, const Range& range, const Actuals& args,
                                 const Actuals& kwargs) {
  if (!args.empty()) {
    ir::Value* self = args[0].get(emission);
    if (self->type()->is(TypeKind::class_)) {
      Actuals rest(args.begin() + 1, args.end());
      return SimpleValue(self)
          .attribute(emission, range, name_)
          ->call(emission, range, rest, kwargs);
    }
  }
  return otherwise_->call(emission, range, args, kwargs);
}

StaticValuePtr TensorCast::call(Emission& emission, const Range& range, const Actuals& args,
                                const Actuals& kwargs) {
  if (!args.empty() || !kwargs.empty()) refuse(range, "takes no arguments");
  ir::Value* dtype = emission.constant(static_cast<int64_t>(dtype_), range);
  Actuals named{{self_, "self"}, {dtype, "dtype"}};
  return simple(call_operator(emission, range, "aten::to", args, named));
}

StaticValuePtr OperatorNamespace::attribute(Emission&, const Range&, const std::string& name) {
  // torch.autograd's functions are operators of torch.
  if (name == "autograd") return std::make_shared<OperatorNamespace>("aten", unknown_);
  base::Symbol op(space_ + "::" + name);
  bool known = !ops::overloads(op).empty() || !library_functions(op).empty();
  if (!known && unknown_ == UnknownOperators::keep) return std::make_shared<UnknownOperator>(op);
  return std::make_shared<BuiltinFunction>(op);
}

StaticValuePtr UnknownOperator::call(Emission& emission, const Range& range, const Actuals& args,
                                     const Actuals& kwargs) {
  std::vector<ir::Value*> inputs;
  for (const Actual& arg : args) inputs.push_back(arg.get(emission));
  std::vector<std::string> names;
  for (const Actual& kwarg : kwargs) {
    inputs.push_back(kwarg.get(emission));
    names.push_back(kwarg.name);
  }
  ir::Node* node = emission.insert(name_, inputs, {core::tensor_type()}, range);
  if (!names.empty()) node->set(ir::keywords_attribute(), names);
  return std::make_shared<UnknownResult>(*node);
}

std::vector<StaticValuePtr> UnknownResult::parts(Emission&, const Range& range,
                                                 std::optional<size_t> count) {
  if (!count) refuse(range, "cannot be used as a tuple: its length is not known here");
  while (call_.outputs().size() < *count) call_.add_output(core::tensor_type());
  std::vector<StaticValuePtr> out;
  for (size_t i = 0; i < *count; ++i) out.push_back(simple(call_.output(i)));
  return out;
}

StaticValuePtr ClassValue::attribute(Emission& emission, const Range& range,
                                     const std::string& name) {
  auto hook = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (hook(type->pre_hooks) || hook(type->hooks)) {
    return std::make_shared<FunctionValue>(emission.unit.method(*type, name));
  }
  if (name != "__new__") refuse(range, "has no attribute '", name, "'");
  return std::make_shared<SpecialForm>(ir::kinds().create_object);
}

StaticValuePtr ClassValue::call(Emission& emission, const Range& range, const Actuals& args,
                                const Actuals& kwargs) {
  ir::Value* self = emission.insert_one(ir::kinds().create_object, {}, type, range);
  if (!type->has_method("__init__")) refuse(range, "has no __init__ to make an object with");
  MethodValue(self, "__init__").call(emission, range, args, kwargs);
  return simple(self);
}

StaticValuePtr NamedTupleConstructor::call(Emission& emission, const Range& range,
                                           const Actuals& args, const Actuals& kwargs) {
  const core::TupleType& tuple = *core::as_tuple(type_);
  ops::Schema schema;
  schema.name = tuple.name();
  const size_t without_default = tuple.fields.size() - defaults_.size();
  for (size_t i = 0; i < tuple.fields.size(); ++i) {
    ops::Argument argument;
    argument.name = tuple.fields[i];
    argument.type = tuple.contained()[i];
    if (i >= without_default) argument.default_value = defaults_[i - without_default];
    schema.arguments.push_back(std::move(argument));
  }
  MatchedCall call = match_schema(emission, range, schema, args, kwargs);
  return simple(emission.tuple(call.inputs, type_, range));
}

core::Value EnumClass::member(const core::EnumType::Member& m) const {
  return base::make_ref<core::EnumObject>(type_, m.name, *m.value);
}

StaticValuePtr EnumClass::attribute(Emission& emission, const Range& range,
                                    const std::string& name) {
  for (const auto& m : core::as_enum(type_)->members) {
    if (m.name == name) return simple(emission.constant(member(m), range));
  }
  refuse(range, "has no attribute '", name, "'");
}

StaticValuePtr EnumClass::iterable(Emission& emission, const Range& range) {
  core::Values all;
  for (const auto& m : core::as_enum(type_)->members) all.push_back(member(m));
  return simple(emission.constant(core::make_list(type_, std::move(all)), range));
}

StaticValuePtr FunctionValue::try_call(Emission& emission, const Range& range, const Actuals& args,
                                       const Actuals& kwargs, bool implicit) {
  auto call = try_match(emission, range, signature_of(callee_, range), args, kwargs, implicit);
  return call ? emit(emission, range, *call) : nullptr;
}

StaticValuePtr FunctionValue::call(Emission& emission, const Range& range, const Actuals& args,
                                   const Actuals& kwargs) {
  return emit(emission, range,
              match_schema(emission, range, signature_of(callee_, range), args, kwargs));
}

StaticValuePtr FunctionValue::emit(Emission& emission, const Range& range,
                                   const MatchedCall& call) {
  ir::Node* function = emission.graph.create(ir::kinds().constant, {}, size_t{1});
  // Graphs show the plain name; the value tells which function it is.
  function->set(ir::name_attribute(), callee_.name());
  ir::set_constant(function,
                   base::make_ref<core::FunctionObject>(callee_.qualified_name(), core::Value()));
  ir::Value* callee = emission.place(function, {})->output();
  std::vector<ir::Value*> inputs{callee};
  inputs.insert(inputs.end(), call.inputs.begin(), call.inputs.end());
  return simple(emission.insert_one(ir::kinds().call_function, inputs, call.returns.at(0), range));
}

const ops::Schema& MethodValue::signature(Emission& emission, const Range& range) const {
  const TypePtr& type = self_->type();
  if (const core::ClassType* owner = core::as_class(type)) {
    return signature_of(emission.unit.method(*owner, name_), range);
  }
  const ops::Schema* schema = emission.unit.find_interface_method(type->name(), name_);
  if (!schema) refuse(range, "does not exist on ", type->annotation());
  return *schema;
}

StaticValuePtr MethodValue::try_call(Emission& emission, const Range& range, const Actuals& args,
                                     const Actuals& kwargs, bool implicit) {
  auto call = try_match(emission, range, signature(emission, range), with_self(self_, args), kwargs,
                        implicit);
  return call ? emit(emission, range, *call) : nullptr;
}

StaticValuePtr MethodValue::call(Emission& emission, const Range& range, const Actuals& args,
                                 const Actuals& kwargs) {
  return emit(
      emission, range,
      match_schema(emission, range, signature(emission, range), with_self(self_, args), kwargs));
}

StaticValuePtr MethodValue::emit(Emission& emission, const Range& range, const MatchedCall& call) {
  ir::Node* node =
      emission.graph.create(ir::kinds().call_method, call.inputs, {call.returns.at(0)});
  node->set(ir::name_attribute(), name_);
  return simple(emission.place(node, range)->output());
}

StaticValuePtr PrintFunction::call(Emission& emission, const Range& range, const Actuals& args,
                                   const Actuals& kwargs) {
  if (!kwargs.empty()) refuse(range, "doesn't accept any keyword arguments");
  std::vector<ir::Value*> inputs;
  for (const auto& arg : args) inputs.push_back(arg.get(emission));
  emission.insert("prim::Print", inputs, {}, range);
  return std::make_shared<NothingValue>();
}

StaticValuePtr ExceptionClass::call(Emission& emission, const Range& range, const Actuals& args,
                                    const Actuals& kwargs) {
  if (!kwargs.empty()) refuse(range, "takes no keyword arguments");
  if (!qualified_name_.empty()) {
    std::vector<ir::Value*> values;
    for (const auto& arg : args) values.push_back(arg.get(emission));
    ir::Value* message = values.empty()       ? emission.constant("", range)
                         : values.size() == 1 ? values[0]
                                              : emission.tuple(values);
    return std::make_shared<ExceptionInstance>(message, emission.constant(qualified_name_, range));
  }
  ir::Value* message = emission.constant(prefix_ + ": ", range);
  for (const auto& arg : args) {
    ir::Value* text = arg.get(emission);
    if (!text->type()->is(TypeKind::string)) {
      text = call_operator(emission, range, "aten::str", {{text}});
    }
    message = call_operator(emission, range, "aten::add", {{message}, {text}});
  }
  return std::make_shared<ExceptionInstance>(message, nullptr);
}

}  // namespace assay::script::detail
