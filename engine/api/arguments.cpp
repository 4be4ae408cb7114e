#include "engine/api/arguments.h"

#include <optional>

#include "engine/base/error.h"

namespace assay::api {
namespace {

using core::TypeKind;
using core::TypePtr;
using core::Value;

/// Thrown while trying; the caller knows which argument it was.
[[noreturn]] void wrong_type(const Value& value, const TypePtr& type) {
  base::fail("expected a value of type '", type->annotation(), "' but found type '",
             value.kind_name(), "'");
}

class Converter {
 public:
  explicit Converter(ir::Unit& unit) : unit_(unit) {}

  Value convert(const Value& value, const TypePtr& type) {
    switch (type->kind()) {
      case TypeKind::any:
        return untyped(value);
      case TypeKind::tensor:
        return kept(value, type, value.is_tensor());
      case TypeKind::integer:
        if (value.is_bool()) return Value(int64_t{value.to_bool()});
        return kept(value, type, value.is_int());
      case TypeKind::floating:
        if (value.is_int() || value.is_bool()) return Value(value.to_scalar().to_double());
        return kept(value, type, value.is_float());
      case TypeKind::complex:
        if (value.is_number()) return Value(value.to_scalar().to_complex());
        wrong_type(value, type);
      case TypeKind::number:
        return kept(value, type, value.is_number());
      case TypeKind::device:
        return device(value, type);
      case TypeKind::optional:
        return value.is_none() ? value : convert(value, type->element());
      case TypeKind::union_:
        return member_of_union(value, type);
      case TypeKind::list:
        return list(value, type);
      case TypeKind::dict:
        return dict(value, type);
      case TypeKind::tuple:
        return tuple(value, type);
      case TypeKind::enumeration:
        return enumeration(value, type);
      case TypeKind::interface:
        return kept(value, type, value.is_object() && implements(value.object(), type));
      default:
        return kept(value, type, core::is_instance(value, type));
    }
  }

 private:
  static Value kept(const Value& value, const TypePtr& type, bool fits) {
    if (!fits) wrong_type(value, type);
    return value;
  }

  static bool implements(const core::Object& object, const TypePtr& type) {
    for (const std::string& method : core::as_interface(type)->methods) {
      if (!object.type->has_method(method)) return false;
    }
    return true;
  }

  static Value device(const Value& value, const TypePtr& type) {
    if (!value.is_string()) return kept(value, type, value.is_device());
    auto parsed = core::parse_device(value.to_string());
    base::check(parsed.has_value(),
                "Invalid device string: ", base::python_repr(value.to_string()));
    return Value(*parsed);
  }

  Value list(const Value& value, const TypePtr& type) {
    const TypePtr& element = type->element();
    if (value.is_list() && core::same_type(value.list().element, element)) return value;
    if (!value.is_list() && !value.is_tuple()) wrong_type(value, type);
    core::Values items;
    for (const Value& item : value.is_list() ? value.list().items : value.tuple().items) {
      items.push_back(convert(item, element));
    }
    return Value(core::make_list(element, std::move(items)));
  }

  Value dict(const Value& value, const TypePtr& type) {
    if (!value.is_dict()) wrong_type(value, type);
    const TypePtr &key = type->contained()[0], &item = type->contained()[1];
    const core::DictObject& given = value.dict();
    if (core::same_type(given.key, key) && core::same_type(given.value, item)) return value;
    auto made = core::make_dict(key, item);
    for (const auto& entry : given.entries()) {
      made->set(convert(entry.key, key), convert(entry.value, item));
    }
    return Value(made);
  }

  Value tuple(const Value& value, const TypePtr& type) {
    const core::TupleType* wanted = core::as_tuple(type);
    bool fits = value.is_tuple() && value.tuple().items.size() == wanted->contained().size();
    if (!fits) wrong_type(value, type);
    core::Values items;
    for (size_t i = 0; i < wanted->contained().size(); ++i) {
      items.push_back(convert(value.tuple().items[i], wanted->contained()[i]));
    }
    TypePtr named = wanted->fields.empty() ? nullptr : type;
    return Value(base::make_ref<core::TupleObject>(std::move(items), named));
  }

  /// The caller's enum may be a stand-in of the same member name.
  static Value enumeration(const Value& value, const TypePtr& type) {
    if (!value.is_enum()) wrong_type(value, type);
    if (core::same_type(value.enumeration().type, type)) return value;
    for (const auto& member : core::as_enum(type)->members) {
      if (member.name != value.enumeration().name) continue;
      return Value(base::make_ref<core::EnumObject>(type, member.name, *member.value));
    }
    wrong_type(value, type);
  }

  Value member_of_union(const Value& value, const TypePtr& type) {
    for (const TypePtr& member : type->contained()) {
      if (core::is_instance(value, member)) return value;
    }
    for (const TypePtr& member : type->contained()) {
      if (auto converted = try_convert(value, member)) return *converted;
    }
    wrong_type(value, type);
  }

  std::optional<Value> try_convert(const Value& value, const TypePtr& type) {
    try {
      return convert(value, type);
    } catch (const base::Error&) {
      return std::nullopt;
    }
  }

  /// Where anything goes, containers without types get those of their items.
  Value untyped(const Value& value) {
    if (value.is_enum()) {
      TypePtr own = unit_.find_type(value.enumeration().type->name());
      return own && core::as_enum(own) ? enumeration(value, own) : value;
    }
    if (value.is_list() && value.list().element->is(TypeKind::any)) {
      core::Values items;
      for (const Value& item : value.list().items) items.push_back(untyped(item));
      TypePtr element = common_type(items);
      return Value(core::make_list(element, std::move(items)));
    }
    if (value.is_tuple() && !value.tuple().named) {
      core::Values items;
      for (const Value& item : value.tuple().items) items.push_back(untyped(item));
      return Value(core::make_tuple(std::move(items)));
    }
    if (value.is_dict() && value.dict().value->is(TypeKind::any)) {
      core::Values keys, items;
      for (const auto& entry : value.dict().entries()) {
        keys.push_back(untyped(entry.key));
        items.push_back(untyped(entry.value));
      }
      auto made = core::make_dict(common_type(keys), common_type(items));
      for (size_t i = 0; i < keys.size(); ++i) made->set(keys[i], items[i]);
      return Value(made);
    }
    return value;
  }

  /// As PyTorch infers it: an empty container is one of tensors.
  static TypePtr common_type(const core::Values& items) {
    if (items.empty()) return core::tensor_type();
    TypePtr type = items[0].type();
    for (const Value& item : items) {
      auto unified = core::unify(type, item.type(), true);
      type = unified ? *unified : core::any_type();
    }
    return type;
  }

  ir::Unit& unit_;
};

}  // namespace

core::Values bind_arguments(ir::Unit& unit, const ops::Schema& schema, const Value& self,
                            const core::Values& positional, const Keywords& keywords) {
  const auto& parameters = schema.arguments;
  size_t first = self.is_none() ? 0 : 1;
  base::check(first + positional.size() <= parameters.size(), schema.name, "() expected at most ",
              parameters.size(), " argument(s) but received ", first + positional.size(),
              " argument(s). Declaration: ", schema.str());
  core::Values bound;
  if (first) bound.push_back(self);
  Converter converter(unit);
  size_t used_keywords = 0;
  for (size_t i = first; i < parameters.size(); ++i) {
    const ops::Argument& parameter = parameters[i];
    const Value* given = i - first < positional.size() ? &positional[i - first] : nullptr;
    for (const auto& [name, value] : keywords) {
      if (name != parameter.name) continue;
      base::check(given == nullptr, schema.name, "() got two values for argument '", name, "'");
      given = &value;
      ++used_keywords;
    }
    if (given == nullptr) {
      base::check(parameter.default_value.has_value(), schema.name,
                  "() is missing value for argument '", parameter.name,
                  "'. Declaration: ", schema.str());
      bound.push_back(*parameter.default_value);
      continue;
    }
    try {
      bound.push_back(converter.convert(*given, parameter.type));
    } catch (const base::Error& e) {
      base::fail(schema.name, "() ", e.message(), " for argument '", parameter.name,
                 "'. Position: ", i, ". Declaration: ", schema.str());
    }
  }
  if (used_keywords != keywords.size()) {
    for (const auto& [name, value] : keywords) {
      base::check(schema.find_argument(name).has_value(), "Unknown keyword argument '", name,
                  "' for operator '", schema.name, "'. Schema: ", schema.str());
    }
    base::fail(schema.name, "() got the same keyword twice");
  }
  return bound;
}

}  // namespace assay::api
