#include "engine/interp/arguments.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/print.h"

namespace assay::interp {

using core::TypeKind;
using core::TypePtr;
using core::Value;

namespace {

constexpr int max_nesting = 64;

std::optional<Value> convert(const Value& value, const TypePtr& type, int depth);

std::optional<core::Values> convert_items(const core::Values& items, const TypePtr& element,
                                          int depth) {
  core::Values converted;
  converted.reserve(items.size());
  for (const Value& item : items) {
    auto made = convert(item, element, depth);
    if (!made) return std::nullopt;
    converted.push_back(std::move(*made));
  }
  return converted;
}

std::optional<Value> to_list(const Value& value, const TypePtr& type, int depth) {
  if (!value.is_list() && !value.is_tuple()) return std::nullopt;
  const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
  auto converted = convert_items(items, type->element(), depth);
  if (!converted) return std::nullopt;
  return Value(core::make_list(type->element(), std::move(*converted)));
}

std::optional<Value> to_tuple(const Value& value, const TypePtr& type, int depth) {
  if (!value.is_tuple()) return std::nullopt;
  const core::Values& items = value.tuple().items;
  const auto& members = type->contained();
  if (items.size() != members.size()) return std::nullopt;
  core::Values converted;
  for (size_t i = 0; i < items.size(); ++i) {
    auto made = convert(items[i], members[i], depth);
    if (!made) return std::nullopt;
    converted.push_back(std::move(*made));
  }
  bool named = !core::as_tuple(type)->fields.empty();
  return Value(
      base::make_ref<core::TupleObject>(std::move(converted), named ? type : TypePtr(nullptr)));
}

std::optional<Value> to_dict(const Value& value, const TypePtr& type, int depth) {
  if (!value.is_dict()) return std::nullopt;
  auto made = core::make_dict(type->contained()[0], type->contained()[1]);
  for (const auto& entry : value.dict().entries()) {
    auto key = convert(entry.key, type->contained()[0], depth);
    auto item = convert(entry.value, type->contained()[1], depth);
    if (!key || !item) return std::nullopt;
    made->set(*key, std::move(*item));
  }
  return Value(std::move(made));
}

// Python's int() of a tensor with one element is not repeated here: the element would have to be
// read through the dispatcher. PyTorch takes an integral tensor for an int, the rest it refuses.
std::optional<Value> to_number(const Value& value, TypeKind kind) {
  bool whole = value.is_int() || value.is_bool();
  switch (kind) {
    case TypeKind::integer:
      if (whole) return Value(value.to_scalar().to_int());
      break;
    case TypeKind::floating:
      if (whole || value.is_float()) return Value(value.to_scalar().to_double());
      break;
    case TypeKind::complex:
      if (value.is_number()) return Value(value.to_scalar().to_complex());
      break;
    case TypeKind::boolean:
      if (value.is_bool()) return value;
      break;
    default:
      if (value.is_number()) return value;
  }
  return std::nullopt;
}

std::optional<Value> to_member(const Value& value, const TypePtr& type, int depth) {
  for (const TypePtr& member : type->contained())
    if (core::is_instance(value, member)) return convert(value, member, depth);
  for (const TypePtr& member : type->contained())
    if (auto made = convert(value, member, depth)) return made;
  return std::nullopt;
}

std::optional<Value> convert(const Value& value, const TypePtr& type, int depth) {
  base::check(depth < max_nesting, "an argument nests too deeply");
  switch (type->kind()) {
    case TypeKind::any:
      return value;
    case TypeKind::tensor:  // None is an undefined tensor.
      if (value.is_tensor() || value.is_none()) return value;
      return std::nullopt;
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::complex:
    case TypeKind::boolean:
    case TypeKind::number:
      return to_number(value, type->kind());
    case TypeKind::list:
      return to_list(value, type, depth + 1);
    case TypeKind::tuple:
      return to_tuple(value, type, depth + 1);
    case TypeKind::dict:
      return to_dict(value, type, depth + 1);
    case TypeKind::optional:
      if (value.is_none()) return value;
      return convert(value, type->element(), depth + 1);
    case TypeKind::union_:
      return to_member(value, type, depth + 1);
    default:
      if (core::is_instance(value, type)) return value;
      return std::nullopt;
  }
}

// Python's name of a value's class.
std::string python_class(const Value& value) {
  using Tag = Value::Tag;
  switch (value.tag()) {
    case Tag::none:
      return "NoneType";
    case Tag::list:
      return "list";
    case Tag::tuple:
      return "tuple";
    case Tag::dict:
      return "dict";
    default:
      return value.kind_name();
  }
}

[[noreturn]] void wrong_type(const ops::Schema& schema, size_t position, const Value& value) {
  const ops::Argument& argument = schema.arguments[position];
  base::fail(schema.name, "() Expected a value of type '", argument.type->annotation(),
             "' for argument '", argument.name, "' but instead found type '", python_class(value),
             "'.\nPosition: ", position, "\nValue: ", core::display(value),
             "\nDeclaration: ", schema.str());
}

void check_count(const ops::Schema& schema, size_t given) {
  size_t most = schema.arguments.size();
  base::check(given <= most, schema.name, "() expected at most ", most,
              " argument(s) but received ", given, " argument(s). Declaration: ", schema.str());
}

void check_keywords(const ops::Schema& schema, size_t positional, const Keywords& keywords) {
  for (size_t i = 0; i < keywords.size(); ++i) {
    const std::string& name = keywords[i].first;
    auto at = schema.find_argument(name);
    base::check(at.has_value(), "Unknown keyword argument '", name, "' for operator '", schema.name,
                "'. Schema: ", schema.str());
    bool twice = *at < positional ||
                 std::any_of(keywords.begin(), keywords.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const auto& k) { return k.first == name; });
    base::check(!twice, "Argument '", name,
                "' specified both as positional and keyword argument. Schema: ", schema.str());
  }
}

}  // namespace

std::optional<Value> convert_argument(const Value& value, const TypePtr& type) {
  return convert(value, type, 0);
}

core::Values bind_arguments(const ops::Schema& schema, const core::Values& args,
                            const Keywords& keywords) {
  check_count(schema, args.size());
  check_keywords(schema, args.size(), keywords);
  core::Values bound;
  bound.reserve(schema.arguments.size());
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const ops::Argument& argument = schema.arguments[i];
    const Value* given = i < args.size() ? &args[i] : nullptr;
    for (const auto& [name, value] : keywords)
      if (!given && name == argument.name) given = &value;
    if (!given) {
      base::check(argument.default_value.has_value(), schema.name,
                  "() is missing value for argument '", argument.name,
                  "'. Declaration: ", schema.str());
      bound.push_back(*argument.default_value);
      continue;
    }
    auto converted = convert_argument(*given, argument.type);
    if (!converted) wrong_type(schema, i, *given);
    bound.push_back(std::move(*converted));
  }
  return bound;
}

}  // namespace assay::interp
