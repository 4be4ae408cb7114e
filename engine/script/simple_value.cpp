#include <fmt/core.h>

#include "engine/ir/kinds.h"
#include "engine/ir/unshaped.h"
#include "engine/ops/native_class.h"
#include "engine/script/static_value.h"

// What can be done with a value of the graph.

namespace assay::script::detail {
namespace {

struct Property {
  TypeKind owner;
  std::string_view name;
  std::string_view space;
};

constexpr Property properties[] = {
    {TypeKind::tensor, "dtype", "prim"},
    {TypeKind::tensor, "device", "prim"},
    {TypeKind::tensor, "grad", "prim"},
    {TypeKind::tensor, "data", "prim"},
    {TypeKind::tensor, "shape", "prim"},
    {TypeKind::tensor, "is_cuda", "prim"},
    {TypeKind::tensor, "is_cpu", "prim"},
    {TypeKind::tensor, "is_xpu", "prim"},
    {TypeKind::tensor, "is_ipu", "prim"},
    {TypeKind::tensor, "is_sparse", "prim"},
    {TypeKind::tensor, "is_sparse_csr", "prim"},
    {TypeKind::tensor, "is_mkldnn", "prim"},
    {TypeKind::tensor, "is_mps", "prim"},
    {TypeKind::tensor, "is_quantized", "prim"},
    {TypeKind::tensor, "is_vulkan", "prim"},
    {TypeKind::tensor, "is_meta", "prim"},
    {TypeKind::tensor, "is_nested", "prim"},
    {TypeKind::tensor, "is_leaf", "aten"},
    {TypeKind::tensor, "retains_grad", "aten"},
    {TypeKind::tensor, "requires_grad", "prim"},
    {TypeKind::tensor, "layout", "prim"},
    {TypeKind::tensor, "T", "prim"},
    {TypeKind::tensor, "H", "prim"},
    {TypeKind::tensor, "mT", "aten"},
    {TypeKind::tensor, "mH", "aten"},
    {TypeKind::tensor, "real", "aten"},
    {TypeKind::tensor, "imag", "aten"},
    {TypeKind::tensor, "ndim", "prim"},
    {TypeKind::tensor, "name", "prim"},
    {TypeKind::device, "type", "prim"},
    {TypeKind::device, "index", "prim"},
};

}  // namespace

std::string SimpleValue::kind() const {
  return "a value of type '" + value_->type()->annotation() + "'";
}

StaticValuePtr SimpleValue::property(Emission& emission, const std::string& name) {
  for (const auto& row : properties) {
    if (!value_->type()->is(row.owner) || row.name != name) continue;
    return simple(
        call_operator(emission, {}, fmt::format("{}::{}", row.space, row.name), {{value_}}));
  }
  return nullptr;
}

// The methods that a property of a class is compiled to.
std::string getter_of(const std::string& property) { return "__" + property + "_getter"; }
std::string setter_of(const std::string& property) { return "__" + property + "_setter"; }

// A field, attribute or method of the value's own type.
StaticValuePtr SimpleValue::member(Emission& emission, const Range& range,
                                   const std::string& name) {
  const TypePtr& type = value_->type();
  if (const core::TupleType* tuple = core::as_tuple(type)) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      if (tuple->fields[i] != name) continue;
      ir::Value* index = emission.constant(static_cast<int64_t>(i));
      return simple(emission.tuple_index(value_, index, tuple->contained()[i]));
    }
  } else if (const core::ClassType* owner = core::as_class(type)) {
    if (owner->has_method(name)) return std::make_shared<MethodValue>(value_, name);
    if (auto slot = owner->find_attribute(name)) {
      ir::Node* node = emission.graph.create(ir::kinds().get_attribute, {value_},
                                             {owner->attributes()[*slot].type});
      node->set(ir::name_attribute(), name);
      bool number = name.find_first_not_of("0123456789") == std::string::npos;
      node->output()->set_name(number ? "_" + name : name);
      return simple(emission.place(node, {})->output());
    }
    if (const core::Value* constant = owner->find_constant(name)) {
      return simple(emission.constant(*constant));
    }
    if (owner->has_method(getter_of(name))) {
      return MethodValue(value_, getter_of(name)).call(emission, range, {}, {});
    }
  } else if (type->is(TypeKind::interface)) {
    if (emission.unit.find_interface_method(type->name(), name)) {
      return std::make_shared<MethodValue>(value_, name);
    }
  } else if (const core::EnumType* enumeration = core::as_enum(type)) {
    if (name == "name") {
      return simple(emission.insert_one("prim::EnumName", {value_}, core::string_type()));
    }
    if (name == "value") {
      return simple(emission.insert_one("prim::EnumValue", {value_}, enumeration->value_type()));
    }
  }
  return nullptr;
}

StaticValuePtr SimpleValue::attribute(Emission& emission, const Range& range,
                                      const std::string& name) {
  if (is_tensor(value_)) {
    if (auto dtype = core::dtype_of_conversion(name)) {
      return std::make_shared<TensorCast>(*dtype, value_);
    }
  }
  if (auto found = property(emission, name)) return found;
  if (auto found = member(emission, range, name)) return found;
  // A method of a built-in type is an operator; `type` is an old name of `to`.
  Actual self{value_, "self"};
  for (const std::string& op : {std::string(name == "type" ? "aten::to" : ""), "aten::" + name}) {
    if (!op.empty() && has_method(op, value_->type())) {
      return std::make_shared<BuiltinFunction>(base::Symbol(op), self);
    }
  }
  if (is_tensor(value_) && name == "tolist") {
    return std::make_shared<SpecialForm>("prim::tolist", value_);
  }
  if (const core::ClassType* owner = core::as_class(value_->type())) {
    bool missing = ops::is_native_name(owner->name()) && !ops::find_native_class(owner->name());
    if (missing) ops::refuse_native_class(owner->name());
  }
  base::fail_at(range, "'", value_->type()->annotation(), "' object has no attribute or method '",
                name, "'");
}

bool SimpleValue::has_attribute(Emission&, const Range& range, const std::string& name) {
  const core::ClassType* owner = core::as_class(value_->type());
  if (!owner) refuse(range, "cannot be asked for its attributes");
  return owner->has_method(name) || owner->find_attribute(name) || owner->find_constant(name) ||
         owner->has_method(getter_of(name));
}

// In __init__ of a class under construction, an assignment declares the attribute.
void SimpleValue::add_attribute(Emission& emission, const Range& range, const std::string& name,
                                ir::Value* to) {
  bool own = emission.function.name() == "__init__" && !emission.graph.inputs().empty() &&
             core::same_type(emission.graph.inputs()[0]->type(), value_->type());
  core::ClassTypePtr owner = own ? emission.unit.find_class(value_->type()->name()) : nullptr;
  if (!owner) {
    base::fail_at(range, "Tried to set nonexistent attribute '", name, "' of ", kind(),
                  ": give it a value in __init__");
  }
  if (emission.builder.point()->owner() != emission.graph.block()) {
    base::fail_at(range, "attribute '", name, "' must be set outside of branches and loops first");
  }
  owner->add_attribute(name, ir::unshaped(to->type()));
}

void SimpleValue::set_attribute(Emission& emission, const Range& range, const std::string& name,
                                ir::Value* to) {
  const core::ClassType* owner = core::as_class(value_->type());
  if (!owner) refuse(range, "has no attributes that could be set");
  if (!owner->find_attribute(name) && owner->has_method(setter_of(name))) {
    MethodValue(value_, setter_of(name)).call(emission, range, {{to}}, {});
    return;
  }
  if (!owner->find_attribute(name)) add_attribute(emission, range, name, to);
  const TypePtr& wanted = owner->attributes()[*owner->find_attribute(name)].type;
  if (!core::is_subtype(to->type(), wanted)) {
    base::fail_at(range, "Wrong type for attribute assignment: '", name, "' is of type ",
                  wanted->annotation(), ", the value is of type ", to->type()->annotation());
  }
  emission.place(emission.graph.create(ir::kinds().set_attribute, {value_, to}, size_t{0})
                     ->set(ir::name_attribute(), name),
                 {});
}

std::vector<StaticValuePtr> SimpleValue::parts(Emission& emission, const Range& range,
                                               std::optional<size_t> count) {
  const TypePtr& type = value_->type();
  std::vector<ir::Value*> values;
  if (type->is(TypeKind::tuple)) {
    values = emission.members(value_);
  } else if (type->is(TypeKind::list)) {
    if (!count) {
      refuse(range, "cannot be used as a tuple: its length is not statically determinable, that ",
             "is, known here");
    }
    std::vector<TypePtr> types(*count, type->element());
    values = emission.insert(ir::kinds().list_unpack, {value_}, types)->outputs();
  } else {
    refuse(range, "cannot be used as a tuple");
  }
  std::vector<StaticValuePtr> out;
  for (ir::Value* value : values) out.push_back(simple(value));
  return out;
}

StaticValuePtr SimpleValue::call(Emission& emission, const Range& range, const Actuals& args,
                                 const Actuals& kwargs) {
  const core::InterfaceType* interface = core::as_interface(value_->type());
  if (interface && interface->is_module()) {
    return attribute(emission, range, "forward")->call(emission, range, args, kwargs);
  }
  if (!value_->type()->is(TypeKind::class_)) {
    base::fail_at(range, "cannot call a value: ", kind(), " is no function");
  }
  return attribute(emission, range, "__call__")->call(emission, range, args, kwargs);
}

StaticValuePtr SimpleValue::iterable(Emission& emission, const Range& range) {
  switch (value_->type()->kind()) {
    case TypeKind::list:
    case TypeKind::string:
    case TypeKind::tensor:
      return shared_from_this();
    case TypeKind::dict:
      return simple(call_operator(emission, range, "aten::keys", {{value_}}));
    case TypeKind::tuple:
      return std::make_shared<StaticTuple>(parts(emission, range, std::nullopt));
    default:
      base::fail_at(range, "'", value_->type()->annotation(), "' object is not iterable");
  }
}

ir::Value* SimpleValue::length(Emission& emission, const Range& range) {
  const TypePtr& type = value_->type();
  bool sized = type->is(TypeKind::list) || type->is(TypeKind::string) || is_tensor(value_);
  if (!sized) base::fail_at(range, "'", type->annotation(), "' object is not iterable");
  return call_operator(emission, range, "aten::len", {{value_}});
}

StaticValuePtr SimpleValue::item(Emission& emission, const Range& range, ir::Value* index,
                                 const TypePtr& hint) {
  const TypePtr& type = value_->type();
  switch (type->kind()) {
    case TypeKind::list:
    case TypeKind::string:
    case TypeKind::dict:
      return simple(call_operator(emission, range, "aten::__getitem__", {{value_}, {index}}));
    case TypeKind::tensor: {
      Actual zero;
      zero.constant = 0;
      return simple(call_operator(emission, range, "aten::select", {{value_}, zero, {index}}));
    }
    case TypeKind::class_:
      if (hint && core::as_class(type)->is_module()) {
        return simple(emission.insert_one(ir::kinds().container_index, {value_, index}, hint));
      }
      return attribute(emission, range, "__getitem__")->call(emission, range, {{index}}, {});
    default:
      base::fail_at(range, "'", type->annotation(), "' object is not subscriptable");
  }
}

}  // namespace assay::script::detail
