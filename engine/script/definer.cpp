#include "engine/script/detail/definer.h"

#include <algorithm>
#include <set>

#include "engine/base/error.h"

namespace assay::script::detail {
namespace {

std::string base_name(const ClassDef& def) {
  if (def.bases.empty()) return "";
  if (def.bases.size() > 1) base::fail_at(def.range, "a class can have one base class only");
  std::string name = dotted_name(*def.bases[0]).value_or("?");
  size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::set<std::string> string_set(const Expr& list) {
  std::set<std::string> names;
  for (const auto& item : list.items) {
    if (item->kind != ExprKind::string) base::fail_at(item->range, "expected a string here");
    names.insert(item->text);
  }
  return names;
}

/// What the body of a class says, sorted.
struct ClassBody {
  struct Attribute {
    std::string name;
    ExprPtr type;
  };
  struct Constant {
    std::string name;
    ExprPtr type;  ///< Null where not annotated.
    ExprPtr value;
    base::SourceRange range;
  };
  std::vector<Attribute> attributes;
  std::vector<Constant> constants;
  std::vector<std::shared_ptr<const FunctionDef>> methods;
  std::set<std::string> parameters, buffers, pre_hooks, hooks;
  std::vector<std::string> pre_hook_order, hook_order;
};

void read_assignment(const Stmt& stmt, ClassBody& body) {
  const Expr& target = *stmt.targets.at(0);
  if (target.kind == ExprKind::subscript) {
    // __annotations__["0"] = Tensor declares an attribute whose name is no identifier.
    bool declares = target.items[0]->is_name("__annotations__") && target.items.size() == 2 &&
                    target.items[1]->kind == ExprKind::string && stmt.value;
    if (!declares) base::fail_at(stmt.range, "this cannot stand in a class");
    body.attributes.push_back({target.items[1]->text, stmt.value});
    return;
  }
  if (target.kind != ExprKind::name) base::fail_at(stmt.range, "this cannot stand in a class");
  const std::string& name = target.text;
  auto ordered = [&](std::vector<std::string>& order) {
    for (const auto& item : stmt.value->items) order.push_back(item->text);
    return string_set(*stmt.value);
  };
  if (!stmt.value) {
    body.attributes.push_back({name, stmt.annotation});
  } else if (name == "__parameters__") {
    body.parameters = string_set(*stmt.value);
  } else if (name == "__buffers__") {
    body.buffers = string_set(*stmt.value);
  } else if (name == "__forward_pre_hooks__") {
    body.pre_hooks = ordered(body.pre_hook_order);
  } else if (name == "__forward_hooks__") {
    body.hooks = ordered(body.hook_order);
  } else if (name != "__annotations__" && name != "__constants__") {
    body.constants.push_back({name, stmt.annotation, stmt.value, stmt.range});
  }
}

ClassBody read_body(const ClassDef& def) {
  ClassBody body;
  for (const auto& stmt : def.body) {
    switch (stmt->kind) {
      case StmtKind::assign:
        read_assignment(*stmt, body);
        break;
      case StmtKind::def:
        body.methods.push_back(stmt->function);
        break;
      case StmtKind::pass_:
        break;
      case StmtKind::expression:
        if (stmt->value->kind == ExprKind::string || stmt->value->kind == ExprKind::ellipsis) break;
        [[fallthrough]];
      default:
        base::fail_at(stmt->range, "this cannot stand in a class");
    }
  }
  return body;
}

}  // namespace

ops::Schema Definer::signature(const FunctionDef& def, const core::TypePtr& self) {
  return types_.signature(def, self, [&](const Param& param, const core::TypePtr& type) {
    return resolver_.default_value(def, param, type);
  });
}

void Definer::define_function(const std::string& name, std::shared_ptr<const FunctionDef> def) {
  ir::Function& function = unit_.define_function(name, [this, def](ir::Function& made) {
    compile(*def, resolver_, unit_, made);
    if (revise_) revise_(made);
  });
  if (def->return_annotation) function.set_schema(signature(*def, nullptr));
}

void Definer::define_method(const core::ClassTypePtr& owner, std::shared_ptr<const FunctionDef> def,
                            Role role) {
  std::string name = owner->qualified_method(def->name);
  // The class owns no functions, so a plain pointer cannot outlive it in the unit.
  std::weak_ptr<core::ClassType> type = owner;
  ir::Function& function = unit_.define_function(name, [this, def, type](ir::Function& made) {
    compile(*def, resolver_, unit_, made, type.lock());
    if (revise_) revise_(made);
  });
  bool derives =
      def->name == "__setstate__" && def->params.size() == 2 && !def->params[1].annotation;
  if (def->return_annotation && !derives) function.set_schema(signature(*def, owner));
  if (role == Role::method) owner->add_method(def->name);
}

void Definer::define_class(const std::string& name, const std::shared_ptr<const ClassDef>& def) {
  std::string base = base_name(*def);
  if (base == "NamedTuple") return define_named_tuple(name, *def);
  if (base == "Enum") return define_enum(name, *def);
  if (base == "Interface") return define_interface(name, *def, false);
  if (base == "ModuleInterface") return define_interface(name, *def, true);
  if (base != "" && base != "Module" && base != "object") {
    base::fail_at(def->range, "a class cannot be derived from '", base, "'");
  }
  define_object(name, *def, base == "Module");
}

void Definer::define_object(const std::string& name, const ClassDef& def, bool is_module) {
  auto type = std::make_shared<core::ClassType>(name, is_module);
  unit_.define_class(type);
  ClassBody body = read_body(def);
  for (const auto& [attribute, annotation] : body.attributes) {
    using AttributeRole = core::ClassType::Role;
    AttributeRole role = AttributeRole::attribute;
    if (body.parameters.count(attribute)) role = AttributeRole::parameter;
    if (body.buffers.count(attribute)) role = AttributeRole::buffer;
    type->add_attribute(attribute, types_.parse(*annotation), role);
  }
  for (const auto& constant : body.constants) {
    core::TypePtr wanted = constant.type ? types_.parse(*constant.type) : nullptr;
    type->add_constant(constant.name, types_.constant(*constant.value, wanted));
  }
  type->pre_hooks = body.pre_hook_order;
  type->hooks = body.hook_order;
  // All names first: a method's signature or body may need another method.
  for (const auto& method : body.methods) {
    Role role = body.pre_hooks.count(method->name) ? Role::pre_hook
                : body.hooks.count(method->name)   ? Role::hook
                                                   : Role::method;
    if (role == Role::method) type->add_method(method->name);
  }
  for (const auto& method : body.methods) {
    bool hook = body.pre_hooks.count(method->name) || body.hooks.count(method->name);
    define_method(type, method, hook ? Role::hook : Role::method);
  }
}

void Definer::define_named_tuple(const std::string& name, const ClassDef& def) {
  std::vector<std::string> fields;
  std::vector<core::TypePtr> members;
  for (const auto& stmt : def.body) {
    if (stmt->kind == StmtKind::pass_) continue;
    bool field = stmt->kind == StmtKind::assign && stmt->annotation &&
                 stmt->targets[0]->kind == ExprKind::name;
    if (!field) base::fail_at(stmt->range, "a named tuple consists of annotated names");
    fields.push_back(stmt->targets[0]->text);
    members.push_back(types_.parse(*stmt->annotation));
  }
  unit_.define_type(core::named_tuple(name, std::move(members), std::move(fields)));
}

void Definer::define_enum(const std::string& name, const ClassDef& def) {
  std::vector<core::EnumType::Member> members;
  for (const auto& stmt : def.body) {
    bool member =
        stmt->kind == StmtKind::assign && stmt->value && stmt->targets[0]->kind == ExprKind::name;
    if (!member) base::fail_at(stmt->range, "an enum consists of names with values");
    core::Value value = types_.constant(*stmt->value, nullptr);
    if (!members.empty() && value.tag() != members[0].value->tag()) {
      base::fail_at(stmt->range, "the values of an enum must be of one type");
    }
    members.push_back({stmt->targets[0]->text, std::make_shared<const core::Value>(value)});
  }
  if (members.empty()) base::fail_at(def.range, "an enum needs a member");
  auto type = std::make_shared<core::EnumType>(name, members[0].value->type());
  type->members = std::move(members);
  unit_.define_type(type);
}

void Definer::define_interface(const std::string& name, const ClassDef& def, bool is_module) {
  auto type = std::make_shared<core::InterfaceType>(name, is_module);
  for (const auto& stmt : def.body) {
    if (stmt->kind == StmtKind::def) type->methods.push_back(stmt->function->name);
  }
  unit_.define_type(type);
  for (const auto& stmt : def.body) {
    if (stmt->kind == StmtKind::pass_) continue;
    if (stmt->kind != StmtKind::def) base::fail_at(stmt->range, "an interface has methods only");
    const FunctionDef& method = *stmt->function;
    if (!method.return_annotation) {
      base::fail_at(method.range, "a method of an interface must say what it returns");
    }
    unit_.define_interface_method(name, method.name, types_.signature(method, type));
  }
}

}  // namespace assay::script::detail
