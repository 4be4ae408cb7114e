#include <fmt/core.h>

#include "engine/archive/detail/python_body.h"
#include "engine/archive/detail/python_text.h"
#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ops/bind.h"
#include "engine/ops/catalog.h"

namespace assay::archive::detail {
namespace {

using ir::Node;

/// Nodes that print as a Python call of the same arguments.
const std::unordered_map<base::Symbol, std::string>& python_calls() {
  static const std::unordered_map<base::Symbol, std::string> calls{
      {"prim::Int", "int("},     {"aten::Int", "int("},   {"prim::Float", "float("},
      {"aten::Float", "float("}, {"prim::Bool", "bool("}, {"aten::Bool", "bool("},
      {"prim::str", "str("},     {"aten::str", "str("},   {"prim::Print", "print("},
  };
  return calls;
}

bool is_implicit_conversion(const Node& node) {
  return node.is("prim::ImplicitTensorToNum") || node.is("aten::IntImplicit") ||
         node.is("aten::FloatImplicit") || node.is("aten::ScalarImplicit") ||
         node.is("aten::ComplexImplicit");
}

std::string operator_name(base::Symbol kind) {
  if (kind == base::Symbol("aten::backward")) return "torch.autograd.backward";
  if (kind == base::Symbol("aten::grad")) return "torch.autograd.grad";
  if (kind.space() == "aten") return fmt::format("torch.{}", kind.name());
  return fmt::format("ops.{}.{}", kind.space(), kind.name());
}

bool is_out(const ops::Argument& argument) {
  return argument.kwarg_only && argument.alias && argument.alias->writes;
}

bool is_default(const ops::Argument& argument, const ir::Value* given) {
  if (!argument.default_value) return false;
  auto constant = ir::constant_value(given);
  core::Value left_out = ops::default_of(argument);
  return constant && constant->tag() == left_out.tag() && constant->equals(left_out);
}

/// How many leading arguments are written: trailing ones that equal their defaults are left out.
size_t necessary_arguments(const ops::Schema& schema, const Node& node, size_t out_count) {
  if (node.inputs().size() > schema.arguments.size()) return node.inputs().size();
  size_t count = std::min(schema.arguments.size() - out_count, node.inputs().size());
  while (count > 0 && is_default(schema.arguments[count - 1], node.input(count - 1))) --count;
  return count;
}

/// The catalog's schema of the node; null for kinds that have none.
const ops::Schema* schema_of(const Node& node) {
  if (node.op()) return &node.op()->schema;
  const auto& all = ops::overloads(node.kind());
  return all.size() == 1 ? &all[0]->schema : nullptr;
}

}  // namespace

std::string PythonBody::annotation(const core::TypePtr& type) {
  context_.dependencies.add_type(type);
  return type->annotation();
}

TaggedText PythonBody::list_of(const Values& values, std::string_view open,
                               std::string_view close) {
  TaggedText text{std::string(open)};
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) text += ", ";
    text += use_of(values[i]);
  }
  text += close;
  return text;
}

TaggedText PythonBody::in_parentheses(const ir::Value* value) {
  TaggedText text("(");
  text += use_of(value);
  text += ")";
  return text;
}

TaggedText PythonBody::constant(const Node& node) {
  auto value = ir::constant_value(&node);
  base::check(value.has_value(), "a constant of the graph cannot be written as source");
  if (value->is_function()) {
    context_.dependencies.add_function(value->function().qualified_name);
    return value->function().qualified_name;
  }
  auto special = [&](std::string& out, const core::Value& part) {
    bool ascii = true;
    if (part.is_string()) {
      for (char c : part.to_string()) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    }
    if (part.is_enum()) context_.dependencies.add_type(part.enumeration().type);
    if (part.is_tuple() && part.tuple().named) context_.dependencies.add_type(part.tuple().named);
    if (!part.is_tensor() && ascii) return false;
    out = fmt::format("CONSTANTS.c{}", context_.constant_index(part));
    return true;
  };
  return constant_text(*value, special);
}

TaggedText PythonBody::list_construct(const Node& node) {
  const core::TypePtr& type = node.output()->type();
  TaggedText items = list_of(node.inputs(), "[", "]");
  if (!node.inputs().empty() && shows_element_type(type->element())) return items;
  TaggedText text(fmt::format("annotate({}, ", annotation(type)));
  text += items;
  text += ")";
  return text;
}

TaggedText PythonBody::dict_construct(const Node& node) {
  const core::TypePtr& type = node.output()->type();
  TaggedText items("{");
  for (size_t i = 0; i + 1 < node.inputs().size(); i += 2) {
    if (i) items += ", ";
    items += use_of(node.input(i));
    items += ": ";
    items += use_of(node.input(i + 1));
  }
  items += "}";
  bool clear = !node.inputs().empty() && shows_element_type(type->contained()[0]) &&
               shows_element_type(type->contained()[1]);
  if (clear) return items;
  TaggedText text(fmt::format("annotate({}, ", annotation(type)));
  text += items;
  text += ")";
  return text;
}

TaggedText PythonBody::call(const Node& node) {
  TaggedText text;
  if (node.is(ir::kinds().call_method)) {
    text += in_parentheses(node.input(0));
    text += fmt::format(".{}", node.get<std::string>("name"));
  } else {
    text += use_of(node.input(0));
  }
  text += "(";
  for (size_t i = 1; i < node.inputs().size(); ++i) {
    text += use_of(node.input(i));
    text += ", ";
  }
  text += ")";
  return text;
}

TaggedText PythonBody::get_attribute(const Node& node) {
  const auto& name = node.get<std::string>("name");
  TaggedText text;
  if (is_identifier(name)) {
    text += use_of(node.input());
    text += "." + name;
  } else {
    text += "getattr(";
    text += use_of(node.input());
    text += ", " + quoted(name) + ")";
  }
  return text;
}

TaggedText PythonBody::is_instance(const Node& node) {
  const auto& types = node.get<std::vector<core::TypePtr>>("types");
  std::string names;
  for (const core::TypePtr& type : types) names += (names.empty() ? "" : ", ") + annotation(type);
  TaggedText text("isinstance(");
  text += use_of(node.input());
  text += types.size() == 1 ? ", " + names + ")" : ", (" + names + "))";
  return text;
}

TaggedText PythonBody::operator_call(const Node& node) {
  const ops::Schema* schema = schema_of(node);
  TaggedText text(operator_name(node.kind()) + "(");
  size_t out_count = 0;
  if (schema) {
    const auto& arguments = schema->arguments;
    while (out_count < arguments.size() && is_out(arguments[arguments.size() - 1 - out_count])) {
      ++out_count;
    }
  }
  const ir::Attribute* keywords = schema ? nullptr : node.find_attribute(ir::keywords_attribute());
  const auto* names = keywords ? std::get_if<std::vector<std::string>>(keywords) : nullptr;
  size_t plain = node.inputs().size() - (names ? names->size() : 0);
  auto write = [&](size_t i, bool first) {
    if (!first) text += ", ";
    if (i >= plain) text += (*names)[i - plain] + "=";
    if (schema && i < schema->arguments.size() && schema->arguments[i].kwarg_only) {
      text += schema->arguments[i].name + "=";
    }
    text += use_of(node.input(i));
  };
  size_t leading = schema ? necessary_arguments(*schema, node, out_count) : node.inputs().size();
  for (size_t i = 0; i < leading; ++i) write(i, i == 0);
  if (schema && node.inputs().size() == schema->arguments.size()) {
    for (size_t i = node.inputs().size() - out_count; i < node.inputs().size(); ++i) {
      write(i, i == 0);
    }
  }
  text += ")";
  return text;
}

TaggedText PythonBody::expression(const Node& node) {
  context_.operators.insert(node.kind());
  if (node.is(ir::kinds().constant)) return constant(node);
  auto python = python_calls().find(node.kind());
  if (python != python_calls().end()) return list_of(node.inputs(), python->second, ")");
  if (node.is(ir::kinds().tuple)) {
    const core::TypePtr& type = node.output()->type();
    const core::TupleType* tuple = core::as_tuple(type);
    bool named = tuple && !tuple->fields.empty() && !tuple->name().empty();
    TaggedText text(named ? annotation(type) : std::string());
    text += list_of(node.inputs(), "(", node.inputs().size() == 1 ? ",)" : ")");
    return text;
  }
  if (node.is(ir::kinds().list)) return list_construct(node);
  if (node.is(ir::kinds().dict)) return dict_construct(node);
  if (node.is(ir::kinds().call_function) || node.is(ir::kinds().call_method)) return call(node);
  if (node.is(ir::kinds().call_outside)) {
    context_.outside_call = node.get<std::string>(ir::name_attribute());
    return list_of(node.inputs(), "^" + node.get<std::string>(ir::name_attribute()) + "()(", ")");
  }
  if (node.is(ir::kinds().get_attribute)) return get_attribute(node);
  if (node.is(ir::kinds().isinstance)) return is_instance(node);
  if (node.is(ir::kinds().create_object)) {
    std::string type = annotation(node.output()->type());
    return fmt::format("{}.__new__({})", type, type);
  }
  if (node.is(ir::kinds().uninitialized)) {
    return fmt::format("uninitialized({})", annotation(node.output()->type()));
  }
  TaggedText text;
  auto annotated = [&](std::string_view function, std::string_view close) {
    text += fmt::format("{}({}, ", function, annotation(node.output()->type()));
    text += use_of(node.input());
    text += close;
    return text;
  };
  if (is_implicit_conversion(node)) return annotated("annotate", ")");
  if (node.is(ir::kinds().unchecked_cast)) return annotated("unchecked_cast", ")");
  if (node.is("prim::tolist")) return annotated("annotate", ".tolist())");
  if (node.is("prim::EnumName") || node.is("prim::EnumValue")) {
    text += in_parentheses(node.input());
    text += node.is("prim::EnumName") ? ".name" : ".value";
    return text;
  }
  if (node.is(ir::kinds().tuple_index) || node.is("aten::__getitem__")) {
    bool plain = node.is("aten::__getitem__") && is_identifier(use_of(node.input(0)).text);
    text = plain ? use_of(node.input(0)) : in_parentheses(node.input(0));
    text += "[";
    text += use_of(node.input(1));
    text += "]";
    return text;
  }
  if (node.is(ir::kinds().tuple_slice)) {
    text = in_parentheses(node.input(0));
    text += fmt::format("[{}:{}]", node.get<int64_t>("beg"), node.get<int64_t>("end"));
    return text;
  }
  if (node.is("aten::_unwrap_optional") && node.input()->type()->is(core::TypeKind::none)) {
    // The type of None alone would not say which Optional is unwrapped.
    text += fmt::format("torch._unwrap_optional(annotate({}, ",
                        annotation(core::optional_of(node.output()->type())));
    text += use_of(node.input());
    text += "))";
    return text;
  }
  return operator_call(node);
}

}  // namespace assay::archive::detail
