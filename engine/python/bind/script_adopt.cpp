#include "engine/python/bind/script_adopt.h"

#include <unordered_map>

#include "engine/base/error.h"
#include "engine/ops/native_class.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/script_program.h"

namespace assay::python {
namespace {

using core::TypeKind;
using core::TypePtr;
using core::Value;

/// Carries types, functions and values of one unit over to another. Names get new ones where they
/// are taken; what is carried over twice is the same.
class Adoption {
 public:
  Adoption(ir::Unit& from, ir::Unit& to) : from_(from), to_(to) {}

  Value value(const Value& held) {
    if (held.is_object()) return object(held);
    if (held.is_enum()) {
      const core::EnumObject& member = held.enumeration();
      return Value(base::make_ref<core::EnumObject>(type(member.type), member.name, member.value));
    }
    if (held.is_function()) {
      const core::FunctionObject& function = held.function();
      core::Values captured;
      for (const Value& each : function.captured) captured.push_back(value(each));
      return Value(base::make_ref<core::FunctionObject>(function_name(function.qualified_name),
                                                        value(function.self), std::move(captured)));
    }
    if (held.is_tuple()) {
      core::Values items;
      for (const Value& each : held.tuple().items) items.push_back(value(each));
      return Value(base::make_ref<core::TupleObject>(std::move(items), type(held.tuple().named)));
    }
    return container(held);
  }

 private:
  Value object(const Value& held) {
    auto& known = objects_[&held.object()];
    if (!known) {
      known = base::make_ref<core::Object>(std::const_pointer_cast<core::ClassType>(
          std::static_pointer_cast<const core::ClassType>(type(held.object().type))));
      known->native = held.object().native;
      core::ObjectRef made = known;
      for (size_t i = 0; i < made->slots.size(); ++i)
        made->slots[i] = value(held.object().slots[i]);
      return Value(made);
    }
    return Value(known);
  }

  /// The container itself, as long as its types stay.
  Value container(const Value& held) {
    if (held.is_list() && type(held.list().element) != held.list().element) {
      core::Values items;
      for (const Value& each : held.list().items) items.push_back(value(each));
      return Value(core::make_list(type(held.list().element), std::move(items)));
    }
    if (held.is_dict() && type(held.dict().value) != held.dict().value) {
      auto made = core::make_dict(type(held.dict().key), type(held.dict().value));
      for (const auto& entry : held.dict().entries())
        made->set(value(entry.key), value(entry.value));
      return Value(made);
    }
    return held;
  }

  /// The same pointer where nothing of the type is named.
  TypePtr type(const TypePtr& old) {
    if (!old) return old;
    auto known = types_.find(old.get());
    if (known != types_.end()) return known->second;
    const core::TupleType* tuple = core::as_tuple(old);
    bool named = old->is(TypeKind::class_) || old->is(TypeKind::interface) ||
                 old->is(TypeKind::enumeration) || (tuple && !tuple->fields.empty());
    return types_[old.get()] = named ? named_type(old) : unnamed_type(old);
  }

  TypePtr unnamed_type(const TypePtr& old) {
    std::vector<TypePtr> parts;
    for (const TypePtr& part : old->contained()) parts.push_back(type(part));
    if (parts == old->contained()) return old;
    switch (old->kind()) {
      case TypeKind::list:
        return core::list_of(parts[0]);
      case TypeKind::optional:
        return core::optional_of(parts[0]);
      case TypeKind::dict:
        return core::dict_of(parts[0], parts[1]);
      case TypeKind::tuple:
        return core::tuple_of(std::move(parts));
      case TypeKind::union_:
        return core::union_of(std::move(parts));
      case TypeKind::future:
        return core::future_of(parts[0]);
      default:
        base::unsupported("a type ", old->annotation(),
                          " in a module that was loaded and is now compiled into another");
    }
  }

  TypePtr named_type(const TypePtr& old) {
    if (const core::ClassType* held = core::as_class(old)) return class_type(*held, old);
    if (const core::InterfaceType* held = core::as_interface(old)) return interface_type(*held);
    // Enums and named tuples that Python knows by this name stay those.
    TypePtr taken = to_.find_type(old->name());
    if (taken && taken->annotation() == old->annotation() && taken->kind() == old->kind())
      return taken;
    std::string name = to_.unique_name(old->name());
    TypePtr made;
    if (const core::EnumType* held = core::as_enum(old)) {
      auto enumeration = std::make_shared<core::EnumType>(name, held->value_type());
      enumeration->members = held->members;
      made = enumeration;
    } else {
      std::vector<TypePtr> members;
      for (const TypePtr& part : old->contained()) members.push_back(type(part));
      made = core::named_tuple(name, std::move(members), core::as_tuple(old)->fields);
    }
    to_.define_type(made);
    return made;
  }

  TypePtr interface_type(const core::InterfaceType& old) {
    auto made = std::make_shared<core::InterfaceType>(to_.unique_name(old.name()), old.is_module());
    made->methods = old.methods;
    types_[&old] = made;
    to_.define_type(made);
    for (const std::string& method : old.methods) {
      const ops::Schema* schema = from_.find_interface_method(old.name(), method);
      if (schema) to_.define_interface_method(made->name(), method, signature(*schema));
    }
    return made;
  }

  TypePtr class_type(const core::ClassType& old, const TypePtr& same) {
    if (ops::is_native_name(old.name())) return same;
    auto made = std::make_shared<core::ClassType>(to_.unique_name(old.name()), old.is_module());
    types_[&old] = made;
    to_.define_class(made);
    for (const auto& each : old.attributes())
      made->add_attribute(each.name, type(each.type), each.role);
    for (const auto& each : old.constants()) made->add_constant(each.name, value(*each.value));
    made->hooks = old.hooks;
    made->pre_hooks = old.pre_hooks;
    std::vector<std::string> functions = old.methods();
    functions.insert(functions.end(), old.hooks.begin(), old.hooks.end());
    functions.insert(functions.end(), old.pre_hooks.begin(), old.pre_hooks.end());
    for (const std::string& method : old.methods()) made->add_method(method);
    for (const std::string& method : functions) {
      if (to_.find_function(made->qualified_method(method))) continue;  // A hook that comes twice.
      copy_function(from_.method(old, method), made->qualified_method(method));
    }
    return made;
  }

  const std::string& function_name(const std::string& old) {
    auto [known, added] = functions_.try_emplace(old);
    if (added) {
      known->second = to_.unique_name(old);
      std::string name = known->second;
      copy_function(from_.function(old), name);
    }
    return functions_.at(old);
  }

  void copy_function(ir::Function& old, const std::string& name) {
    std::shared_ptr<ir::Graph> body = graph(old.graph());
    ir::Function& made = to_.define_function(name, body);
    if (old.has_schema()) made.set_schema(signature(old.schema()));
  }

  ops::Schema signature(ops::Schema schema) {
    for (auto* group : {&schema.arguments, &schema.returns}) {
      for (ops::Argument& each : *group) each.type = type(each.type);
    }
    return schema;
  }

  std::shared_ptr<ir::Graph> graph(const ir::Graph& old) {
    std::shared_ptr<ir::Graph> made = old.copy();
    retype(*made->block());
    return made;
  }

  void retype(ir::Block& block) {
    for (ir::Value* parameter : block.params()) parameter->set_type(type(parameter->type()));
    for (ir::Node* node : block) {
      for (ir::Value* output : node->outputs()) output->set_type(type(output->type()));
      std::vector<ir::Node::NamedAttribute> attributes = node->attributes();
      for (auto& [name, held] : attributes) node->set(name, attribute(held));
      for (ir::Block* inner : node->blocks()) retype(*inner);
    }
  }

  ir::Attribute attribute(const ir::Attribute& old) {
    if (const auto* held = std::get_if<Value>(&old)) return value(*held);
    if (const auto* held = std::get_if<TypePtr>(&old)) return type(*held);
    if (const auto* held = std::get_if<std::shared_ptr<ir::Graph>>(&old)) return graph(**held);
    if (const auto* held = std::get_if<std::vector<TypePtr>>(&old)) {
      std::vector<TypePtr> types;
      for (const TypePtr& each : *held) types.push_back(type(each));
      return types;
    }
    return old;
  }

  ir::Unit& from_;
  ir::Unit& to_;
  std::unordered_map<const core::Type*, TypePtr> types_;
  std::unordered_map<std::string, std::string> functions_;
  std::unordered_map<const core::Object*, core::ObjectRef> objects_;
};

}  // namespace

ScriptObject adopted(ScriptObject module) {
  ScriptProgram& program = script_program();
  if (&module.module().unit() == &program.unit()) return module;
  Adoption adoption(module.module().unit(), program.unit());
  Value made = adoption.value(Value(module.object()));
  return ScriptObject(api::Module(engine(), program.program(), made.ref<core::Object>()));
}

}  // namespace assay::python
