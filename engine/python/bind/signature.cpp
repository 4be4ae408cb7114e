#include "engine/python/bind/signature.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "engine/core/print.h"

namespace assay::python {

using core::TypeKind;
using core::TypePtr;

namespace {

bool is_list_of(const TypePtr& type, TypeKind item) {
  return type->is(TypeKind::list) && type->element()->is(item);
}

Takes list_kind(const TypePtr& item) {
  switch (item->kind()) {
    case TypeKind::tensor:
      return Takes::tensors;
    case TypeKind::integer:
      return Takes::ints;
    case TypeKind::floating:
      return Takes::floats;
    case TypeKind::optional:
      return item->element()->is(TypeKind::tensor) ? Takes::tensors : Takes::other;
    default:
      return Takes::other;
  }
}

Takes kind_of(const ops::Argument& argument, const TypePtr& type) {
  if (argument.int_kind == "ScalarType") return Takes::dtype;
  if (argument.int_kind == "Layout") return Takes::layout;
  if (argument.int_kind == "MemoryFormat") return Takes::memory_format;
  switch (type->kind()) {
    case TypeKind::tensor:
      return Takes::tensor;
    case TypeKind::number:
      return Takes::scalar;
    case TypeKind::integer:
      return Takes::integer;
    case TypeKind::floating:
      return Takes::floating;
    case TypeKind::complex:
      return Takes::complex;
    case TypeKind::boolean:
      return Takes::boolean;
    case TypeKind::string:
      return Takes::string;
    case TypeKind::device:
      return Takes::device;
    case TypeKind::generator:
      return Takes::generator;
    case TypeKind::list:
      return list_kind(type->element());
    default:
      return Takes::other;
  }
}

Parameter parameter_of(const ops::Argument& argument) {
  bool optional = argument.type->is(TypeKind::optional);
  const TypePtr& type = optional ? argument.type->element() : argument.type;
  Parameter made{kind_of(argument, type), optional};
  made.items_optional = type->is(TypeKind::list) && type->element()->is(TypeKind::optional);
  made.fixed_size = argument.list_size.value_or(0);
  return made;
}

bool holds_tensors(const TypePtr& type) {
  if (type->is(TypeKind::tensor)) return true;
  bool wraps = type->is(TypeKind::optional) || type->is(TypeKind::list);
  return wraps && holds_tensors(type->element());
}

/// TorchScript's own overloads, over numbers, texts and lists, are no functions of Python's torch.
bool is_for_python(const ops::Operator& op) {
  const ops::Schema& schema = op.schema;
  if (schema.vararg || schema.varret || op.callers() == ops::Callers::programs) return false;
  for (const ops::Argument& a : schema.arguments) {
    bool own = a.type->is(TypeKind::var) || a.type->is(TypeKind::dict) ||
               a.type->is(TypeKind::any_list) || is_list_of(a.type, TypeKind::var);
    if (own || (a.name == "self" && a.type->is(TypeKind::list))) return false;
  }
  auto tensors = [](const ops::Argument& a) {
    return holds_tensors(a.type) || a.int_kind == "ScalarType";
  };
  return std::any_of(schema.arguments.begin(), schema.arguments.end(), tensors) ||
         std::any_of(schema.returns.begin(), schema.returns.end(), tensors);
}

/// Whether PyTorch tries a parameter of the first kind after one of the second: 0-dimensional
/// tensors are numbers, too, and a single int a list of ints.
bool later(Takes a, Takes b) {
  bool number = a == Takes::scalar || a == Takes::integer || a == Takes::floating;
  return (number && b == Takes::tensor) || (a == Takes::ints && b == Takes::integer) ||
         (a == Takes::tensors && b == Takes::ints);
}

/// Whether every parameter of `a` is as that of `b` or comes later, and at least one does.
bool comes_after(const Signature& a, const Signature& b) {
  bool some = false;
  if (a.parameters.size() != b.parameters.size()) return false;
  for (size_t i = 0; i < a.parameters.size(); ++i) {
    Takes x = a.parameters[i].takes, y = b.parameters[i].takes;
    if (later(x, y)) some = true;
    if (x != y && !later(x, y)) return false;
  }
  return some;
}

/// The catalog's order but for overloads that must wait for others.
void sort(std::vector<Signature>& all) {
  std::vector<Signature> sorted;
  while (!all.empty()) {
    auto free = std::find_if(all.begin(), all.end(), [&](const Signature& s) {
      return std::none_of(all.begin(), all.end(),
                          [&](const Signature& other) { return comes_after(s, other); });
    });
    if (free == all.end()) free = all.begin();
    sorted.push_back(std::move(*free));
    all.erase(free);
  }
  all = std::move(sorted);
}

constexpr std::array<std::string_view, 18> arithmetic = {
    "add",    "add_",    "sub",         "sub_",         "mul",          "mul_",
    "div",    "div_",    "subtract",    "subtract_",    "multiply",     "multiply_",
    "divide", "divide_", "true_divide", "true_divide_", "floor_divide", "floor_divide_",
};

std::string_view shown_type(Takes takes) {
  constexpr std::string_view names[] = {"Tensor",
                                        "Number",
                                        "int",
                                        "float",
                                        "complex",
                                        "bool",
                                        "str",
                                        "torch.dtype",
                                        "torch.layout",
                                        "torch.memory_format",
                                        "torch.device",
                                        "torch.Generator",
                                        "tuple of Tensors",
                                        "tuple of ints",
                                        "tuple of floats",
                                        "object"};
  return names[static_cast<size_t>(takes)];
}

}  // namespace

Signature::Signature(const ops::Operator& of) : op(&of) {
  const auto& arguments = of.schema.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    parameters.push_back(parameter_of(arguments[i]));
    parameters.back().written = of.is_out && i + of.out_count >= arguments.size();
    if (!arguments[i].kwarg_only) ++positional;
    if (arguments[i].name == "self" && arguments[i].type->is(TypeKind::tensor))
      self_at = static_cast<int>(i);
  }
  for (const Parameter& p : parameters) gathers |= p.takes == Takes::ints && p.fixed_size == 0;
  makes_tensors = of.schema.find_argument("dtype") && of.schema.find_argument("layout") &&
                  of.schema.find_argument("pin_memory");
}

std::string_view meant_keyword(const ops::Schema& schema, std::string_view keyword) {
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"axis", "dim"}, {"keepdims", "keepdim"}, {"x1", "input"}, {"x2", "other"}};
  for (auto [other, meant] : others)
    if (keyword == other && !schema.find_argument(keyword)) return meant;
  return keyword;
}

bool Signature::takes_keyword(std::string_view name) const {
  std::string_view meant = meant_keyword(op->schema, name);
  const auto& arguments = op->schema.arguments;
  return std::any_of(arguments.begin(), arguments.end(), [&](const ops::Argument& a) {
    return a.name == meant || (!a.other_name.empty() && a.other_name == meant);
  });
}

Overloads overloads_for_python(std::string_view qualified_name) {
  Overloads found;
  for (const ops::Operator* op : ops::overloads(base::Symbol(qualified_name))) {
    if (!is_for_python(*op)) continue;
    (op->is_out ? found.out : found.plain).emplace_back(*op);
  }
  sort(found.plain);
  sort(found.out);
  std::string_view name = qualified_name.substr(qualified_name.find("::") + 2);
  found.numbers_for_tensors =
      std::find(arithmetic.begin(), arithmetic.end(), name) != arithmetic.end();
  return found;
}

namespace {

/// Whether "Tensor(a!) self" is among the arguments of a schema's text.
bool has_tensor_self(std::string_view arguments) {
  size_t end = 0;
  for (size_t at = arguments.find(" self"); at != arguments.npos;
       at = arguments.find(" self", end)) {
    end = at + 5;
    bool whole = end == arguments.size() || arguments[end] == ',' || arguments[end] == '=';
    std::string_view before = arguments.substr(0, at);
    size_t comma = before.rfind(", ");
    std::string_view type = comma == before.npos ? before : before.substr(comma + 2);
    if (whole && type.starts_with("Tensor") && type.find_first_of("[?") == type.npos) return true;
  }
  return false;
}

}  // namespace

std::vector<ReachableName> reachable_names() {
  std::vector<ReachableName> names;
  std::unordered_map<std::string_view, size_t> known;
  for (const ops::Row& row : ops::catalog_rows()) {
    // Told from the text: schemas are parsed when an operator is first called.
    std::string_view text = row.schema;
    if (!text.starts_with("aten::") || text.find("Dict(") != text.npos) continue;
    size_t open = text.find('(');
    if (text.find("Tensor", open) == text.npos && text.find("ScalarType", open) == text.npos)
      continue;
    std::string_view arguments = text.substr(open + 1, text.find(") -> ") - open - 1);
    bool of_list = arguments.starts_with("Tensor[]") && arguments.find(" self") != text.npos;
    if (of_list || arguments.starts_with("t[]") || arguments.starts_with("t ")) continue;
    bool method = has_tensor_self(arguments);
    std::string_view name = text.substr(6, text.find_first_of(".(") - 6);
    auto [at, fresh] = known.emplace(name, names.size());
    if (fresh) names.push_back({name});
    names[at->second].method |= method;
  }
  return names;
}

std::string_view wanted_type(const Signature& signature, size_t parameter) {
  return shown_type(signature.parameters[parameter].takes);
}

std::string text_of(const Signature& signature) {
  std::string out = "(";
  const auto& arguments = signature.op->schema.arguments;
  bool star = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ops::Argument& a = arguments[i];
    if (i) out += ", ";
    if (a.kwarg_only && !star) out += "*, ";
    star = star || a.kwarg_only;
    out += shown_type(signature.parameters[i].takes);
    out += " " + (a.other_name.empty() ? a.name : a.other_name);
    if (signature.parameters[i].written) out += "=None";
    if (a.default_value) out += "=" + core::repr(*a.default_value);
  }
  return out + ")";
}

}  // namespace assay::python
