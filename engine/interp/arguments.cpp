#include "engine/interp/arguments.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/device.h"
#include "engine/core/elements.h"
#include "engine/core/print.h"
#include "engine/ops/bind.h"

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

// A container for an Any parameter gets the element types that its items tell, as if it had been
// made in TorchScript.
Value inferred(const Value& value, int depth) {
  base::check(depth < max_nesting, "an argument nests too deeply");
  auto common = [](const core::Values& items) {
    TypePtr type;
    for (const Value& item : items) {
      auto both = type ? core::unify(type, item.type()) : std::optional(item.type());
      type = both ? *both : core::any_type();
    }
    return type ? type : core::tensor_type();
  };
  if (value.is_tuple() && !value.tuple().named) {
    core::Values items;
    for (const Value& item : value.tuple().items) items.push_back(inferred(item, depth + 1));
    return core::make_tuple(std::move(items));
  }
  if (value.is_list() && value.list().element->is(TypeKind::any)) {
    core::Values items;
    for (const Value& item : value.list().items) items.push_back(inferred(item, depth + 1));
    TypePtr element = common(items);
    return core::make_list(std::move(element), std::move(items));
  }
  if (value.is_dict() && value.dict().value->is(TypeKind::any)) {
    core::Values keys, items;
    for (const auto& entry : value.dict().entries()) {
      keys.push_back(entry.key);
      items.push_back(inferred(entry.value, depth + 1));
    }
    auto made = core::make_dict(common(keys), common(items));
    for (size_t i = 0; i < keys.size(); ++i) made->set(keys[i], std::move(items[i]));
    return made;
  }
  return value;
}

std::optional<Value> to_list(const Value& value, const TypePtr& type, int depth) {
  if (!value.is_list() && !value.is_tuple()) return std::nullopt;
  const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
  auto converted = convert_items(items, type->element(), depth);
  if (!converted) return std::nullopt;
  return Value(core::make_list(type->element(), std::move(*converted)));
}

std::optional<Value> to_tuple(const Value& value, const TypePtr& type, int depth) {
  if (!value.is_tuple() && !value.is_list()) return std::nullopt;
  const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
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

// A number, or the number that a tensor of one element holds.
std::optional<core::Scalar> scalar_of(const Value& value) {
  if (value.is_number()) return value.to_scalar();
  if (!value.is_tensor()) return std::nullopt;
  core::Tensor tensor = value.to_tensor();
  if (tensor.numel() != 1 || tensor.device().type == core::DeviceType::meta) return std::nullopt;
  return core::elements(tensor)[0];
}

// Python's bool(), int() and float(), but that no float becomes an int.
std::optional<Value> to_number(const Value& value, TypeKind kind) {
  if (kind == TypeKind::number) return value.is_number() ? std::optional(value) : std::nullopt;
  if (kind == TypeKind::boolean && value.is_none()) return Value(false);
  auto scalar = scalar_of(value);
  if (!scalar) return std::nullopt;
  bool narrows = scalar->is_complex() || (scalar->is_float() && !value.is_tensor());
  switch (kind) {
    case TypeKind::boolean:
      return Value(scalar->to_bool());
    case TypeKind::integer:
      return narrows ? std::nullopt : std::optional(Value(scalar->to_int()));
    case TypeKind::floating:
      return scalar->is_complex() ? std::nullopt : std::optional(Value(scalar->to_double()));
    default:
      return Value(scalar->to_complex());
  }
}

std::optional<Value> to_device(const Value& value) {
  if (value.is_device()) return value;
  auto named = value.is_string() ? core::parse_device(value.to_string()) : std::nullopt;
  return named ? std::optional(Value(*named)) : std::nullopt;
}

// A member of a union takes what is of its type; only the insides of containers are converted.
std::optional<Value> to_member(const Value& value, const TypePtr& type, int depth) {
  bool container = value.is_list() || value.is_tuple() || value.is_dict();
  for (const TypePtr& member : type->contained())
    if (!container && core::is_instance(value, member)) return value;
  if (!container) return std::nullopt;
  for (const TypePtr& member : type->contained())
    if (auto made = convert(value, member, depth)) return made;
  return std::nullopt;
}

std::optional<Value> convert(const Value& value, const TypePtr& type, int depth) {
  base::check(depth < max_nesting, "an argument nests too deeply");
  switch (type->kind()) {
    case TypeKind::any:
      return inferred(value, depth);
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
    case TypeKind::device:
      return to_device(value);
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
  if (argument.type->is(TypeKind::union_)) {
    base::fail(schema.name, "() Expected a member of ", argument.type->annotation(),
               " but instead found type ", inferred(value, 0).type()->annotation(),
               ", for argument '", argument.name, "'.\nDeclaration: ", schema.str());
  }
  base::fail(schema.name, "() Expected a value of type '", argument.type->annotation(),
             "' for argument '", argument.name, "' but instead found type '", python_class(value),
             "'.\nPosition: ", position, "\nValue: ", core::display(value),
             "\nDeclaration: ", schema.str());
}

[[noreturn]] void refuse(const ops::Mismatch& mismatch, const ops::Schema& schema) {
  using Kind = ops::Mismatch::Kind;
  switch (mismatch.kind) {
    case Kind::too_many:
      base::fail(schema.name, "() expected at most ", schema.arguments.size(),
                 " argument(s) but received ", mismatch.given,
                 " argument(s). Declaration: ", schema.str());
    case Kind::missing:
      base::fail(schema.name, "() is missing value for argument '", mismatch.name,
                 "'. Declaration: ", schema.str());
    case Kind::unknown_keyword:
      base::fail("Unknown keyword argument '", mismatch.name, "' for operator '", schema.name,
                 "'. Schema: ", schema.str());
    case Kind::given_twice:
      base::fail("Argument '", mismatch.name,
                 "' specified both as positional and keyword argument. Schema: ", schema.str());
    case Kind::wrong_type:
      break;  // Raised where the value is at hand.
  }
  base::unreachable("unknown kind of mismatch");
}

/// `float[3]` takes one number, which is repeated.
Value repeated(const Value& given, const ops::Argument& formal) {
  if (!formal.list_size || !(given.is_int() || given.is_float())) return given;
  const TypePtr& list = formal.type->is(TypeKind::optional) ? formal.type->element() : formal.type;
  if (!list->is(TypeKind::list) || !core::same_type(list->element(), given.type())) return given;
  core::Values items(static_cast<size_t>(*formal.list_size), given);
  return core::make_list(list->element(), std::move(items));
}

/// Values at run time as the binder sees them (ops/bind.h).
class ValueView {
 public:
  ValueView(const ops::Schema& schema, const core::Values& args, const Keywords& keywords)
      : schema_(schema), args_(args), keywords_(keywords) {
    bound_.reserve(schema.arguments.size());
  }

  size_t positional() const { return args_.size(); }
  size_t keywords() const { return keywords_.size(); }
  std::string_view keyword(size_t i) const { return keywords_[i].first; }
  static bool has_self(size_t) { return false; }
  static bool take_self(size_t) { return false; }
  static bool may_gather(size_t, size_t) { return false; }
  static bool gather(size_t, size_t, size_t) { return false; }

  bool take(size_t parameter, size_t argument) {
    const Value& given =
        argument < args_.size() ? args_[argument] : keywords_[argument - args_.size()].second;
    const ops::Argument& formal = schema_.arguments[parameter];
    auto converted = convert_argument(repeated(given, formal), formal.type);
    if (!converted) wrong_type(schema_, parameter, given);
    bound_.push_back(std::move(*converted));
    return true;
  }
  bool take_default(size_t parameter) {
    bound_.push_back(ops::default_of(schema_.arguments[parameter]));
    return true;
  }
  void take_vararg(size_t argument) { bound_.push_back(args_[argument]); }

  core::Values taken() { return std::move(bound_); }

 private:
  const ops::Schema& schema_;
  const core::Values& args_;
  const Keywords& keywords_;
  core::Values bound_;
};

}  // namespace

std::optional<Value> convert_argument(const Value& value, const TypePtr& type) {
  return convert(value, type, 0);
}

core::Values bind_arguments(const ops::Schema& schema, const core::Values& args,
                            const Keywords& keywords) {
  ValueView view(schema, args, keywords);
  if (auto mismatch = ops::bind(schema, view)) refuse(*mismatch, schema);
  return view.taken();
}

}  // namespace assay::interp
