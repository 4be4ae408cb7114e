#include "engine/script/module_value.h"

#include <algorithm>

#include "engine/ir/kinds.h"

namespace assay::script::detail {

namespace {

ir::Value* read_attribute(StaticValue::Emission& emission, ir::Value* self,
                          const std::string& name) {
  return as_simple(SimpleValue(self).attribute(emission, {}, name));
}

// A tuple's members one by one: loops over it are unrolled.
StaticValuePtr constant_value(StaticValue::Emission& emission, const base::SourceRange& range,
                              const core::Value& value) {
  if (!value.is_tuple()) return simple(emission.constant(value, range));
  std::vector<StaticValuePtr> members;
  for (const core::Value& item : value.tuple().items) {
    members.push_back(constant_value(emission, range, item));
  }
  return std::make_shared<StaticTuple>(std::move(members));
}

}  // namespace

std::string ModuleValue::kind() const { return "module '" + self_->type()->annotation() + "'"; }

StaticValuePtr ModuleValue::Named::pairs(const Range& range) const {
  auto both = std::make_shared<IterableTree>();
  both->add(range, std::make_shared<StaticTuple>(names));
  both->add(range, std::make_shared<StaticTuple>(values));
  return both;
}

ModuleValue::Named ModuleValue::children(Emission& emission, const Range& range) const {
  for (const auto& attribute : type()->attributes()) {
    const core::InterfaceType* interface = core::as_interface(attribute.type);
    if (!interface || !interface->is_module()) continue;
    base::fail_at(range, "Could not compile a walk over all submodules: what '", attribute.name,
                  "' is is known by its interface ", interface->name(), " only");
  }
  Named out;
  for (const auto& [name, module] : module_->submodules()) {
    out.names.push_back(simple(emission.constant(name)));
    ir::Value* child = read_attribute(emission, self_, name);
    out.values.push_back(std::make_shared<ModuleValue>(child, module));
  }
  return out;
}

ModuleValue::Named ModuleValue::tensors(Emission& emission, const Range&,
                                        core::ClassType::Role role) const {
  Named out;
  for (const auto& attribute : type()->attributes()) {
    if (attribute.role != role) continue;
    out.names.push_back(simple(emission.constant(attribute.name)));
    // Twice, as in PyTorch: what is read first stays unused.
    read_attribute(emission, self_, attribute.name);
    out.values.push_back(simple(read_attribute(emission, self_, attribute.name)));
  }
  return out;
}

void ModuleValue::descend(Emission& emission, const Range& range, const std::string& path,
                          Named& out) const {
  Named own = children(emission, range);
  for (size_t i = 0; i < own.values.size(); ++i) {
    std::string inner = path + module_->submodules()[i].first;
    out.names.push_back(simple(emission.constant(inner)));
    out.values.push_back(own.values[i]);
    static_cast<const ModuleValue&>(*own.values[i]).descend(emission, range, inner + ".", out);
  }
}

// Methods of every module that list its parts, and those of a ModuleDict.
StaticValuePtr ModuleValue::collection(Emission& emission, const Range& range,
                                       const std::string& name) {
  bool dict = module_->kind() == OutsideModule::Kind::module_dict;
  auto known = [&](StaticValuePtr result) { return std::make_shared<KnownCall>(name, result); };
  auto listed = [&](std::vector<StaticValuePtr> members) {
    return known(std::make_shared<StaticTuple>(std::move(members)));
  };
  if (dict && name == "keys") return listed(children(emission, range).names);
  if (name == "children" || (dict && name == "values")) {
    return listed(children(emission, range).values);
  }
  if (name == "named_children" || (dict && name == "items")) {
    return known(children(emission, range).pairs(range));
  }
  if (name == "modules" || name == "named_modules") {
    Named all;
    all.names.push_back(simple(emission.constant("")));
    all.values.push_back(shared_from_this());
    descend(emission, range, "", all);
    return name == "modules" ? listed(all.values) : known(all.pairs(range));
  }
  using Role = core::ClassType::Role;
  if (name == "named_buffers") return known(tensors(emission, range, Role::buffer).pairs(range));
  if (module_->kind() == OutsideModule::Kind::parameter_dict) {
    Named all = tensors(emission, range, Role::parameter);
    if (name == "keys") return listed(all.names);
    if (name == "values") return listed(all.values);
    if (name == "items") return known(all.pairs(range));
  }
  return nullptr;
}

StaticValuePtr ModuleValue::find(Emission& emission, const Range& range, const std::string& name) {
  if (type()->find_attribute(name)) {
    for (const auto& [submodule, module] : module_->submodules()) {
      if (submodule != name) continue;
      return std::make_shared<ModuleValue>(read_attribute(emission, self_, name), module);
    }
    return SimpleValue(self_).attribute(emission, range, name);
  }
  if (type()->has_method(name)) return SimpleValue(self_).attribute(emission, range, name);
  if (const core::Value* constant = type()->find_constant(name)) {
    return constant_value(emission, range, *constant);
  }
  if (auto listing = collection(emission, range, name)) return listing;
  if (auto found = module_->member(emission, range, self_, name)) return found;
  // Compiled while it was looked for.
  if (type()->has_method(name)) return SimpleValue(self_).attribute(emission, range, name);
  return nullptr;
}

StaticValuePtr ModuleValue::attribute(Emission& emission, const Range& range,
                                      const std::string& name) {
  if (!type()) return SimpleValue(self_).attribute(emission, range, name);
  if (auto found = find(emission, range, name)) return found;
  std::string why = module_->why_missing(name);
  const std::string& full = type()->name();
  base::fail_at(range, "Module '", full.substr(full.rfind('.') + 1), "' has no attribute '", name,
                "' ", why);
}

bool ModuleValue::has_attribute(Emission& emission, const Range& range, const std::string& name) {
  return find(emission, range, name) != nullptr;
}

void ModuleValue::set_attribute(Emission& emission, const Range& range, const std::string& name,
                                ir::Value* to) {
  if (!type() || type()->find_attribute(name) || type()->has_method("__" + name + "_setter")) {
    return SimpleValue(self_).set_attribute(emission, range, name, to);
  }
  base::fail_at(range, "Tried to set nonexistent attribute '", name, "' of ", kind(),
                ": give it a value in __init__");
}

std::vector<StaticValuePtr> ModuleValue::parts(Emission& emission, const Range& range,
                                               std::optional<size_t>) {
  return iterable(emission, range)->parts(emission, range, std::nullopt);
}

StaticValuePtr ModuleValue::call(Emission& emission, const Range& range, const Actuals& args,
                                 const Actuals& kwargs) {
  const core::ClassType* owner = type();
  bool hooked = owner && !(owner->pre_hooks.empty() && owner->hooks.empty());
  if (!hooked) return attribute(emission, range, "forward")->call(emission, range, args, kwargs);
  std::vector<ir::Value*> given;
  for (const Actual& arg : args) given.push_back(arg.get(emission));
  ir::Value* inputs = emission.tuple(given);
  auto run = [&](const std::string& hook, const Actuals& with) {
    FunctionValue function(emission.unit.method(*owner, hook));
    return function.call(emission, range, with, {})->value(emission, range);
  };
  Actuals passed = args;
  for (const std::string& hook : owner->pre_hooks) {
    ir::Value* changed = run(hook, {{self_}, {inputs}});
    if (changed->type()->is(TypeKind::none)) continue;
    inputs = changed->type()->is(TypeKind::tuple) ? changed : emission.tuple({changed});
  }
  if (!owner->pre_hooks.empty()) {
    passed.clear();
    for (ir::Value* member :
         emission.insert(ir::kinds().tuple_unpack, {inputs}, inputs->type()->contained())
             ->outputs()) {
      passed.push_back({member});
    }
  }
  ir::Value* result = attribute(emission, range, "forward")
                          ->call(emission, range, passed, kwargs)
                          ->value(emission, range);
  for (const std::string& hook : owner->hooks) {
    ir::Value* changed = run(hook, {{self_}, {inputs}, {result}});
    if (!changed->type()->is(TypeKind::none)) result = changed;
  }
  return simple(result);
}

StaticValuePtr ModuleValue::iterable(Emission& emission, const Range& range) {
  using Kind = OutsideModule::Kind;
  auto sequence = [](std::vector<StaticValuePtr> members) {
    return std::make_shared<StaticTuple>(std::move(members));
  };
  switch (module_->kind()) {
    case Kind::module_list:
      return sequence(children(emission, range).values);
    case Kind::module_dict:
      return sequence(children(emission, range).names);
    case Kind::parameter_list:
      return sequence(tensors(emission, range, core::ClassType::Role::parameter).values);
    case Kind::parameter_dict:
      return sequence(tensors(emission, range, core::ClassType::Role::parameter).names);
    case Kind::plain:
      break;
  }
  refuse(range, "cannot be iterated over: only a Sequential, ModuleList, ModuleDict, ",
         "ParameterList or ParameterDict can");
}

StaticValuePtr ModuleValue::item(Emission& emission, const Range& range, ir::Value* index,
                                 const TypePtr& hint) {
  using Kind = OutsideModule::Kind;
  Kind kind = module_->kind();
  if (!type() || kind == Kind::plain) {
    return attribute(emission, range, "__getitem__")->call(emission, range, {{index}}, {});
  }
  auto known = ir::constant_value(index);
  bool modules = kind == Kind::module_list || kind == Kind::module_dict;
  if (modules && hint && (kind == Kind::module_list || !known)) {
    return SimpleValue(self_).item(emission, range, index, hint);
  }
  Named all = modules ? children(emission, range)
                      : tensors(emission, range, core::ClassType::Role::parameter);
  if (kind == Kind::module_list || kind == Kind::parameter_list) {
    return StaticTuple(all.values).item(emission, range, index, hint);
  }
  if (!known || !known->is_string()) {
    refuse(range, "can be indexed by string literals only; iterate over its items() instead");
  }
  for (size_t i = 0; i < all.names.size(); ++i) {
    auto name = ir::constant_value(as_simple(all.names[i]));
    if (name->to_string() == known->to_string()) return all.values[i];
  }
  refuse(range, "has no entry '", known->to_string(), "'");
}

StaticValuePtr OverloadedValue::call(Emission& emission, const Range& range, const Actuals& args,
                                     const Actuals& kwargs) {
  for (bool implicit : {false, true}) {
    for (const auto& choice : choices_) {
      if (auto result = choice->try_call(emission, range, args, kwargs, implicit)) return result;
    }
  }
  refuse(range, "has no overload for these arguments");
}

StaticValuePtr OutsideFunction::call(Emission& emission, const Range& range, const Actuals& args,
                                     const Actuals& kwargs) {
  MatchedCall call = match_schema(emission, range, schema_, args, kwargs);
  ir::Node* node =
      emission.graph.create(ir::kinds().call_outside, call.inputs, {call.returns.at(0)});
  node->set(ir::name_attribute(), name_);
  node->set("function", key_);
  return simple(emission.place(node, range)->output());
}

StaticValuePtr KnownCall::call(Emission&, const Range& range, const Actuals& args,
                               const Actuals& kwargs) {
  if (!args.empty() || !kwargs.empty()) refuse(range, "takes no arguments");
  return result_;
}

ir::Value* OpaqueValue::value(Emission&, const Range& range) {
  refuse(range,
         "cannot be used as a value here. If it is a variable of the program outside, pass it as "
         "an argument, or make it an attribute or a constant of a module");
}

}  // namespace assay::script::detail
