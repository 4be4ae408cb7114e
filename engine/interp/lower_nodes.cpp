#include <algorithm>

#include "engine/base/error.h"
#include "engine/interp/detail/lowering.h"
#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ir/native_type.h"
#include "engine/ir/resolve.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/native_class.h"

namespace assay::interp {

using base::Symbol;
using core::TypeKind;

namespace {

// Whether a value of this static type may be an object, or a tuple that holds one.
bool may_hold_objects(const core::TypePtr& type) {
  if (type->is(TypeKind::tuple)) {
    return std::ranges::any_of(type->contained(), may_hold_objects);
  }
  return type->is(TypeKind::any) || core::as_class(type);
}

// The text that an attribute holds; an input error if there is none.
const std::string& text_of(const ir::Node& node, Symbol attribute) {
  const ir::Attribute* found = node.find_attribute(attribute);
  const std::string* text = found ? std::get_if<std::string>(found) : nullptr;
  base::check(text != nullptr, node.kind().text(), " has no ", attribute.text());
  return *text;
}

int64_t number_of(const ir::Node& node, Symbol attribute) {
  const ir::Attribute* found = node.find_attribute(attribute);
  const int64_t* number = found ? std::get_if<int64_t>(found) : nullptr;
  base::check(number != nullptr, node.kind().text(), " has no ", attribute.text());
  return *number;
}

void want_inputs(const ir::Node& node, size_t count) {
  base::check(node.inputs().size() == count, node.kind().text(), " takes ", count, " inputs, not ",
              node.inputs().size());
}

}  // namespace

Lowering::Handler Lowering::handler_of(Symbol kind) {
  static const std::unordered_map<Symbol, Handler> handlers = {
      {ir::kinds().constant, &Lowering::nothing},
      {ir::kinds().if_, &Lowering::branch},
      {ir::kinds().loop, &Lowering::loop},
      {ir::kinds().unchecked_cast, &Lowering::cast},
      {ir::kinds().uninitialized, &Lowering::blank},
      {ir::kinds().list, &Lowering::make},
      {ir::kinds().tuple, &Lowering::make},
      {ir::kinds().dict, &Lowering::make},
      {ir::kinds().create_object, &Lowering::make_object},
      {ir::kinds().list_unpack, &Lowering::unpack},
      {ir::kinds().tuple_unpack, &Lowering::unpack},
      {ir::kinds().tuple_index, &Lowering::tuple_index},
      {ir::kinds().tuple_slice, &Lowering::tuple_slice},
      {ir::kinds().get_attribute, &Lowering::attribute},
      {ir::kinds().set_attribute, &Lowering::attribute},
      {ir::kinds().call_method, &Lowering::call_method},
      {ir::kinds().call_function, &Lowering::call_function},
      {ir::call_native, &Lowering::call_native},
      {ir::kinds().call_outside, &Lowering::call_outside},
      {ir::kinds().enter, &Lowering::context},
      {ir::kinds().exit, &Lowering::context},
      {ir::kinds().fork, &Lowering::fork},
      {ir::kinds().isinstance, &Lowering::is_instance},
#define LOWER(name, function) {name, &Lowering::function},
#include "engine/interp/lowering.def"
#undef LOWER
  };
  auto found = handlers.find(kind);
  return found == handlers.end() ? nullptr : found->second;
}

// The instruction writes the node's outputs and reads its inputs, unless the site has some already.
void Lowering::emit_site(const ir::Node& node, Opcode opcode, Site site) {
  if (site.inputs.empty()) site.inputs = operands(node);
  uint32_t out = output_registers(node);
  uint32_t at = add_site(node, std::move(site));
  switch (opcode) {
    case Opcode::raise:
    case Opcode::print:
    case Opcode::warn:
    case Opcode::unknown:
      emit(opcode, at);
      break;
    default:
      emit(opcode, out, at);
  }
}

void Lowering::cast(const ir::Node& node) {
  want_inputs(node, 1);
  const core::TypePtr& type = node.output()->type();
  uint32_t from = operand(node, 0);
  uint32_t to = output_registers(node);
  emit(Opcode::move, to, from);
  if (type->is(TypeKind::any) || core::is_subtype(node.input()->type(), type)) return;
  Site site;
  site.type = type;
  emit(Opcode::check_type, to, add_site(node, std::move(site)));
}

void Lowering::blank(const ir::Node& node) {
  want_inputs(node, 0);
  uint32_t to = output_registers(node);
  Site site;
  site.type = node.output()->type();
  emit(Opcode::blank, to, add_site(node, std::move(site)));
}

void Lowering::make(const ir::Node& node) {
  const core::TypePtr& type = node.output()->type();
  Site site;
  if (type->is(TypeKind::list)) {
    site.type = type->element();
    return emit_site(node, Opcode::make_list, std::move(site));
  }
  if (type->is(TypeKind::dict)) {
    base::check(node.inputs().size() % 2 == 0, "a dict is made from keys and values");
    site.type = type;
    return emit_site(node, Opcode::make_dict, std::move(site));
  }
  base::check(type->is(TypeKind::tuple), node.kind().text(), " makes a ", type->str());
  if (!core::as_tuple(type)->fields.empty()) site.type = type;
  emit_site(node, Opcode::make_tuple, std::move(site));
}

void Lowering::make_object(const ir::Node& node) {
  const core::TypePtr& type = node.output()->type();
  base::check(core::as_class(type) != nullptr, "an object is made of a ", type->str());
  Site site;
  // An object shares its class, which may still be under construction elsewhere.
  site.made = std::const_pointer_cast<core::ClassType>(
      std::static_pointer_cast<const core::ClassType>(type));
  emit_site(node, Opcode::make_object, std::move(site));
}

void Lowering::unpack(const ir::Node& node) {
  want_inputs(node, 1);
  bool list = node.input()->type()->is(TypeKind::list);
  emit_site(node, list ? Opcode::unpack_list : Opcode::unpack_tuple);
}

void Lowering::tuple_index(const ir::Node& node) {
  want_inputs(node, 2);
  uint32_t tuple = register_of(node.input(0));
  uint32_t index = register_of(node.input(1));
  emit(Opcode::tuple_index, output_registers(node), tuple, index);
}

void Lowering::tuple_slice(const ir::Node& node) {
  want_inputs(node, 1);
  Site site;
  site.begin = number_of(node, "beg");
  site.end = number_of(node, "end");
  emit_site(node, Opcode::tuple_slice, std::move(site));
}

void Lowering::attribute(const ir::Node& node) {
  bool sets = node.is(ir::kinds().set_attribute);
  want_inputs(node, sets ? 2 : 1);
  Site site;
  site.name = text_of(node, "name");
  emit_site(node, sets ? Opcode::set_attribute : Opcode::get_attribute, std::move(site));
}

void Lowering::call_method(const ir::Node& node) {
  base::check(!node.inputs().empty(), "a call of a method has no object");
  Site site;
  site.name = text_of(node, "name");
  emit_site(node, Opcode::call_method, std::move(site));
}

void Lowering::call_native(const ir::Node& node) {
  Site site;
  site.name = text_of(node, "name");
  site.native = ops::find_native_method(site.name);
  base::check(site.native != nullptr, "unknown method ", site.name);
  emit_site(node, Opcode::call_native, std::move(site));
}

void Lowering::call_function(const ir::Node& node) {
  base::check(!node.inputs().empty(), "a call of a function has no function");
  Site site;
  auto constant = ir::constant_value(node.input(0));
  bool known = constant && constant->is_function() && constant->function().captured.empty() &&
               constant->function().self.is_none();
  if (!known) return emit_site(node, Opcode::call_value, std::move(site));
  site.name = constant->function().qualified_name;
  site.inputs = operands(node, 1);
  uint32_t out = output_registers(node);
  emit(Opcode::call_function, out, add_site(node, std::move(site)));
}

void Lowering::call_outside(const ir::Node& node) {
  Site site;
  site.name = text_of(node, "function");
  site.type = node.output()->type();
  emit_site(node, Opcode::call_outside, std::move(site));
}

void Lowering::context(const ir::Node& node) {
  want_inputs(node, 1);
  emit_site(node, node.is(ir::kinds().enter) ? Opcode::enter : Opcode::leave);
}

void Lowering::fork(const ir::Node& node) {
  const ir::Attribute* body = node.find_attribute("Subgraph");
  const auto* graph = body ? std::get_if<std::shared_ptr<ir::Graph>>(body) : nullptr;
  base::check(graph && *graph, "a fork has no graph");
  Site site;
  const core::TypePtr& type = node.output()->type();
  site.type = type->is(TypeKind::future) ? type->element() : core::any_type();
  site.code = lower(**graph, code_->name, options_);
  base::check(site.code->parameters == node.inputs().size(),
              "a fork does not give its graph what it takes");
  emit_site(node, Opcode::fork, std::move(site));
}

void Lowering::wait(const ir::Node& node) {
  want_inputs(node, 1);
  uint32_t future = register_of(node.input(0));
  emit(Opcode::wait, output_registers(node), future);
}

void Lowering::raise_or_print(const ir::Node& node) {
  bool raises = ir::effect_of(&node) == ops::Effect::raises;
  base::check(!raises || !node.inputs().empty(), "an exception has no message");
  emit_site(node, raises ? Opcode::raise : Opcode::print);
}

void Lowering::warn(const ir::Node& node) {
  base::check(!node.inputs().empty(), "a warning has no message");
  emit_site(node, Opcode::warn);
}

void Lowering::container_item(const ir::Node& node) {
  want_inputs(node, 2);
  emit_site(node, Opcode::container_item);
}

void Lowering::is_instance(const ir::Node& node) {
  want_inputs(node, 1);
  const ir::Attribute* types = node.find_attribute("types");
  const auto* list = types ? std::get_if<std::vector<core::TypePtr>>(types) : nullptr;
  base::check(list != nullptr, "a test of types has no types");
  Site site;
  site.types = *list;
  emit_site(node, Opcode::is_instance, std::move(site));
}

// Objects are compared by a method, which only the interpreter can call.
void Lowering::sort(const ir::Node& node) {
  const core::TypePtr* type = node.inputs().empty() ? nullptr : &node.input(0)->type();
  bool objects = type && (*type)->is(TypeKind::list) && may_hold_objects((*type)->element());
  if (!objects) return operator_call(node);
  bool in_place = node.is("aten::sort");
  emit_site(node, in_place ? Opcode::sort_objects : Opcode::sorted_objects);
}

const ops::Operator* Lowering::operator_of(const ir::Node& node) {
  return node.op() ? node.op() : ir::find_overload(node.kind(), node.inputs());
}

/// Whether a 0-dimensional constant at this input is a number to the operator (ops::Constants).
bool Lowering::takes_as_number(const ir::Node& node, size_t input) {
  const ops::Operator* op = operator_of(node);
  return op && op->constants() == ops::Constants::become_numbers &&
         input == op->position(ops::arg::other);
}

void Lowering::operator_call(const ir::Node& node) {
  Site site;
  site.op = operator_of(node);
  if (site.op) {
    site.inputs = operands(node);
    for (size_t i = 0; i < site.inputs.size(); ++i) {
      auto number = numbers_.find(node.input(i));
      if (number != numbers_.end() && takes_as_number(node, i)) site.inputs[i] = number->second;
    }
    return emit_site(node, Opcode::call_operator, std::move(site));
  }
  if (ops::overloads(node.kind()).empty()) {
    site.name = "unknown operator " + node.kind().text();
  } else {
    site.name = "no operator takes " + node.kind().text() + "(";
    for (size_t i = 0; i < node.inputs().size(); ++i)
      site.name += (i ? ", " : "") + node.input(i)->type()->str();
    site.name += ")";
  }
  emit_site(node, Opcode::unknown, std::move(site));
}

// Append gives the list back, which most often nobody wants.
void Lowering::append_to_list(const ir::Node& node) {
  uint32_t list = register_of(node.input(0));
  emit(Opcode::list_append, list, register_of(node.input(1)));
  if (node.output()->has_uses()) emit(Opcode::move, output_registers(node), list);
}

// Scalar arithmetic and list access without the dispatcher. False if the node is nothing of that.
bool Lowering::direct(const ir::Node& node) {
  struct Direct {
#define DIRECT(identifier, name) Symbol identifier{name};
#include "engine/interp/lowering.def"
#undef DIRECT
  };
  static const Direct known;
  size_t count = node.inputs().size();
  if (!options_.scalar_instructions || node.outputs().size() != 1 || count < 1 || count > 2)
    return false;
  TypeKind left = node.input(0)->type()->kind();
  std::optional<Opcode> opcode;
  if (count == 1) {
    opcode = scalar_opcode(node.kind(), left);
    if (node.is(known.length) && left == TypeKind::list) opcode = Opcode::list_length;
  } else {
    TypeKind right = node.input(1)->type()->kind();
    opcode = scalar_opcode(node.kind(), left, right);
    if (node.is(known.is)) opcode = Opcode::is;
    if (node.is(known.is_not)) opcode = Opcode::is_not;
    bool on_list = left == TypeKind::list;
    if (node.is(known.item) && on_list && right == TypeKind::integer) opcode = Opcode::list_item;
    if (node.is(known.append) && on_list) return append_to_list(node), true;
  }
  if (!opcode) return false;
  uint32_t b = register_of(node.input(0));
  uint32_t c = count == 2 ? register_of(node.input(1)) : 0;
  emit(*opcode, output_registers(node), b, c);
  return true;
}

}  // namespace assay::interp
