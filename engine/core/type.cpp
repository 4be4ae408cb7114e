#include "engine/core/type.h"

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/core/value.h"

namespace assay::core {
namespace {

struct SimpleName {
  TypeKind kind;
  std::string_view printed;
  std::string_view source;
};

constexpr SimpleName simple_names[] = {
    {TypeKind::any, "Any", "Any"},
    {TypeKind::tensor, "Tensor", "Tensor"},
    {TypeKind::integer, "int", "int"},
    {TypeKind::floating, "float", "float"},
    {TypeKind::complex, "complex", "complex"},
    {TypeKind::number, "Scalar", "number"},
    {TypeKind::boolean, "bool", "bool"},
    {TypeKind::string, "str", "str"},
    {TypeKind::none, "NoneType", "NoneType"},
    {TypeKind::device, "Device", "Device"},
    {TypeKind::generator, "Generator", "Generator"},
    {TypeKind::storage, "Storage", "Storage"},
    {TypeKind::stream, "Stream", "Stream"},
    {TypeKind::any_list, "list", "list"},
    {TypeKind::any_tuple, "tuple", "tuple"},
    {TypeKind::any_class, "ClassType", "ClassType"},
    {TypeKind::any_enum, "AnyEnumType", "AnyEnumType"},
    {TypeKind::capsule, "Capsule", "Capsule"},
    {TypeKind::function, "Function", "Function"},
};

std::string joined(const std::vector<TypePtr>& types, std::string (Type::*text)() const) {
  std::string out;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i) out += ", ";
    out += ((*types[i]).*text)();
  }
  return out;
}

std::string tensor_text(const TensorInfo& info) {
  if (!info.dtype) return "Tensor";
  std::string out(script_name(*info.dtype));
  out += '(';
  size_t begin = out.size();
  auto next = [&]() -> std::string& { return out.size() == begin ? out : out += ", "; };
  if (info.sizes) {
    for (int64_t size : *info.sizes) next() += size < 0 ? "*" : std::to_string(size);
  }
  if (info.strides && !info.strides->empty()) {
    next() += "strides=[";
    for (size_t i = 0; i < info.strides->size(); ++i) {
      if (i > 0) out += ", ";
      out += std::to_string((*info.strides)[i]);
    }
    out += ']';
  }
  if (info.requires_grad) next() += *info.requires_grad ? "requires_grad=1" : "requires_grad=0";
  if (info.device) (next() += "device=") += info.device->text();
  return out += ')';
}

bool same_members(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_type);
}

bool contains(const std::vector<TypePtr>& types, const TypePtr& wanted) {
  return std::any_of(types.begin(), types.end(),
                     [&](const TypePtr& t) { return same_type(t, wanted); });
}

void flatten_union(const TypePtr& type, std::vector<TypePtr>& out) {
  if (type->is(TypeKind::union_)) {
    for (const auto& member : type->contained()) flatten_union(member, out);
  } else if (type->is(TypeKind::optional)) {
    flatten_union(type->element(), out);
    flatten_union(none_type(), out);
  } else if (!contains(out, type)) {
    out.push_back(type);
  }
}

// PyTorch orders the members of a union by kind, then by text.
int union_rank(TypeKind kind) {
  static constexpr TypeKind order[] = {
      TypeKind::any,     TypeKind::enumeration, TypeKind::any_enum, TypeKind::tensor,
      TypeKind::storage, TypeKind::tuple,       TypeKind::list,     TypeKind::dict,
      TypeKind::number,  TypeKind::floating,    TypeKind::complex,  TypeKind::future,
      TypeKind::rref,    TypeKind::await,       TypeKind::integer,  TypeKind::none,
      TypeKind::string,  TypeKind::generator,   TypeKind::boolean,  TypeKind::optional,
      TypeKind::var,     TypeKind::device,      TypeKind::stream,   TypeKind::function,
      TypeKind::class_,  TypeKind::capsule,     TypeKind::interface};
  auto found = std::find(std::begin(order), std::end(order), kind);
  return static_cast<int>(found - std::begin(order));
}

bool union_order(const TypePtr& a, const TypePtr& b) {
  if (a->kind() != b->kind()) return union_rank(a->kind()) < union_rank(b->kind());
  return a->str() < b->str();
}

bool class_implements(const ClassType& type, const InterfaceType& interface) {
  return std::all_of(interface.methods.begin(), interface.methods.end(),
                     [&](const std::string& m) { return type.has_method(m); });
}

bool tuple_is_subtype(const Type& a, const Type& b) {
  const auto& to = static_cast<const TupleType&>(b);
  const auto& from = static_cast<const TupleType&>(a);
  // A named tuple may stand for a plain one, not the reverse.
  if (!to.fields.empty() && (to.name() != from.name() || to.fields != from.fields)) return false;
  return std::equal(a.contained().begin(), a.contained().end(), b.contained().begin(),
                    b.contained().end(), is_subtype);
}

}  // namespace

Type::Type(TypeKind kind, std::vector<TypePtr> contained)
    : kind_(kind), contained_(std::move(contained)) {
  for (const TypePtr& part : contained_) {
    if (!part) continue;
    depth_ = std::max(depth_, part->depth_ + 1);
    size_ += part->size_;
    base::check(depth_ <= max_type_depth, "a type is nested deeper than ", max_type_depth,
                " levels");
    base::check(size_ <= max_type_size, "a type has more than ", max_type_size, " parts");
  }
}

std::string Type::str() const {
  switch (kind_) {
    case TypeKind::tensor: {
      auto info = dynamic_cast<const TensorType*>(this);
      return info ? tensor_text(info->info) : "Tensor";
    }
    case TypeKind::list:
      return element()->str() + "[]";
    case TypeKind::optional:
      return element()->str() + "?";
    case TypeKind::dict:
      return "Dict(" + joined(contained_, &Type::str) + ")";
    case TypeKind::future:
      return "Future(" + element()->str() + ")";
    case TypeKind::rref:
      return "RRef(" + element()->str() + ")";
    case TypeKind::await:
      return "Await(" + element()->str() + ")";
    case TypeKind::union_:
      return "Union(" + joined(contained_, &Type::str) + ")";
    case TypeKind::tuple: {
      const auto& tuple = static_cast<const TupleType&>(*this);
      if (tuple.fields.empty()) return "(" + joined(contained_, &Type::str) + ")";
      std::string out = "NamedTuple(";
      for (size_t i = 0; i < tuple.fields.size(); ++i) {
        out += (i ? ", " : "") + tuple.fields[i] + " : " + contained_[i]->str();
      }
      return out + ")";
    }
    case TypeKind::enumeration:
      return "Enum<" + name_ + ">";
    case TypeKind::class_:
    case TypeKind::interface:
    case TypeKind::var:
      return name_;
    default:
      break;
  }
  for (const auto& row : simple_names) {
    if (row.kind == kind_) return std::string(row.printed);
  }
  return "?";
}

std::string Type::annotation() const {
  switch (kind_) {
    case TypeKind::list:
      return "List[" + element()->annotation() + "]";
    case TypeKind::optional:
      return "Optional[" + element()->annotation() + "]";
    case TypeKind::dict:
      return "Dict[" + joined(contained_, &Type::annotation) + "]";
    case TypeKind::future:
      return "Future[" + element()->annotation() + "]";
    case TypeKind::rref:
      return "RRef[" + element()->annotation() + "]";
    case TypeKind::await:
      return "Await[" + element()->annotation() + "]";
    case TypeKind::union_:
      return "Union[" + joined(contained_, &Type::annotation) + "]";
    case TypeKind::tuple:
      if (!name_.empty()) return name_;
      if (contained_.empty()) return "Tuple[()]";
      return "Tuple[" + joined(contained_, &Type::annotation) + "]";
    case TypeKind::class_:
    case TypeKind::interface:
    case TypeKind::enumeration:
    case TypeKind::var:
      return name_;
    default:
      break;
  }
  for (const auto& row : simple_names) {
    if (row.kind == kind_) return std::string(row.source);
  }
  return "?";
}

TupleType::TupleType(std::vector<TypePtr> members, std::string qualified_name,
                     std::vector<std::string> names)
    : Type(TypeKind::tuple, std::move(members)), fields(std::move(names)) {
  name_ = std::move(qualified_name);
}

VarType::VarType(std::string name) : Type(TypeKind::var) { name_ = std::move(name); }

ClassType::ClassType(std::string qualified_name, bool is_module)
    : Type(TypeKind::class_), is_module_(is_module) {
  name_ = std::move(qualified_name);
}

std::optional<size_t> ClassType::find_attribute(std::string_view name) const {
  auto found = attribute_places_.find(name);
  return found == attribute_places_.end() ? std::nullopt : std::optional(found->second);
}

size_t ClassType::add_attribute(std::string name, TypePtr type, Role role) {
  bool fresh = attribute_places_.emplace(name, attributes_.size()).second;
  base::check(fresh, "attribute '", name, "' of ", name_, " is declared twice");
  attributes_.push_back({std::move(name), std::move(type), role});
  return attributes_.size() - 1;
}

const Value* ClassType::find_constant(std::string_view name) const {
  for (const auto& c : constants_) {
    if (c.name == name) return c.value.get();
  }
  return nullptr;
}

void ClassType::add_constant(std::string name, Value value) {
  constants_.push_back({std::move(name), std::make_shared<const Value>(std::move(value))});
}

bool ClassType::has_method(std::string_view name) const {
  return method_names_.find(name) != method_names_.end();
}

void ClassType::add_method(std::string name) {
  if (method_names_.insert(name).second) methods_.push_back(std::move(name));
}

std::string ClassType::qualified_method(std::string_view method) const {
  return std::string(name_).append(".").append(method);
}

void ClassType::release_types() {
  for (Attribute& attribute : attributes_) attribute.type = any_type();
  constants_.clear();
}

InterfaceType::InterfaceType(std::string qualified_name, bool is_module)
    : Type(TypeKind::interface), is_module_(is_module) {
  name_ = std::move(qualified_name);
}

EnumType::EnumType(std::string qualified_name, TypePtr value_type)
    : Type(TypeKind::enumeration, {std::move(value_type)}) {
  name_ = std::move(qualified_name);
}

/// They live as long as the process, and their pointers count nothing: every thread copies them all
/// the time, and would wait for the others' counting.
TypePtr simple_type(TypeKind kind) {
  static const auto instances = [] {
    std::array<TypePtr, static_cast<size_t>(TypeKind::capsule) + 1> all;
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = TypePtr(TypePtr(), new Type(static_cast<TypeKind>(i)));
    return all;
  }();
  return instances[static_cast<size_t>(kind)];
}

TypePtr list_of(TypePtr element) {
  return std::make_shared<Type>(TypeKind::list, std::vector{std::move(element)});
}
TypePtr dict_of(TypePtr key, TypePtr value) {
  return std::make_shared<Type>(TypeKind::dict, std::vector{std::move(key), std::move(value)});
}
TypePtr tuple_of(std::vector<TypePtr> members) {
  return std::make_shared<TupleType>(std::move(members), "", std::vector<std::string>{});
}
TypePtr named_tuple(std::string qualified_name, std::vector<TypePtr> members,
                    std::vector<std::string> fields) {
  return std::make_shared<TupleType>(std::move(members), std::move(qualified_name),
                                     std::move(fields));
}
TypePtr optional_of(TypePtr element) {
  if (element->is(TypeKind::optional) || element->is(TypeKind::any) ||
      element->is(TypeKind::none)) {
    return element;
  }
  if (element->is(TypeKind::union_)) return union_of({element, none_type()});
  return std::make_shared<Type>(TypeKind::optional, std::vector{std::move(element)});
}
TypePtr union_of(std::vector<TypePtr> members) {
  std::vector<TypePtr> flat;
  for (const auto& m : members) flatten_union(m, flat);
  std::vector<TypePtr> least;  // A member that another one covers says nothing.
  for (const auto& m : flat) {
    bool covered = std::any_of(flat.begin(), flat.end(), [&](const TypePtr& other) {
      return !same_type(m, other) && is_subtype(m, other);
    });
    if (!covered) least.push_back(m);
  }
  if (least.size() == 1) return least[0];
  if (least.size() == 2 && least[0]->is(TypeKind::none)) return optional_of(least[1]);
  if (least.size() == 2 && least[1]->is(TypeKind::none)) return optional_of(least[0]);
  std::sort(least.begin(), least.end(), union_order);
  return std::make_shared<Type>(TypeKind::union_, std::move(least));
}
TypePtr future_of(TypePtr element) {
  return std::make_shared<Type>(TypeKind::future, std::vector{std::move(element)});
}
TypePtr var_type(std::string name) { return std::make_shared<VarType>(std::move(name)); }

bool same_type(const TypePtr& a, const TypePtr& b) {
  if (a == b) return true;
  if (!a || !b || a->kind() != b->kind()) return false;
  switch (a->kind()) {
    case TypeKind::class_:
    case TypeKind::interface:
    case TypeKind::enumeration:
    case TypeKind::var:
      return a->name() == b->name();
    case TypeKind::tensor:
      return true;
    case TypeKind::tuple: {
      const auto& x = static_cast<const TupleType&>(*a);
      const auto& y = static_cast<const TupleType&>(*b);
      return x.fields == y.fields && x.name() == y.name() &&
             same_members(a->contained(), b->contained());
    }
    case TypeKind::union_:
      return a->contained().size() == b->contained().size() &&
             std::all_of(a->contained().begin(), a->contained().end(),
                         [&](const TypePtr& t) { return contains(b->contained(), t); });
    default:
      return same_members(a->contained(), b->contained());
  }
}

bool is_subtype(const TypePtr& a, const TypePtr& b) {
  if (b->is(TypeKind::any) || same_type(a, b)) return true;
  if (a->is(TypeKind::union_)) {
    return std::all_of(a->contained().begin(), a->contained().end(),
                       [&](const TypePtr& t) { return is_subtype(t, b); });
  }
  if (a->is(TypeKind::optional)) {
    return is_subtype(none_type(), b) && is_subtype(a->element(), b);
  }
  switch (b->kind()) {
    case TypeKind::optional:
      return a->is(TypeKind::none) || is_subtype(a, b->element());
    case TypeKind::union_:
      return std::any_of(b->contained().begin(), b->contained().end(),
                         [&](const TypePtr& t) { return is_subtype(a, t); });
    case TypeKind::number:
      return a->is(TypeKind::integer) || a->is(TypeKind::floating) || a->is(TypeKind::complex);
    case TypeKind::any_list:
      return a->is(TypeKind::list);
    case TypeKind::any_tuple:
      return a->is(TypeKind::tuple);
    case TypeKind::any_class:
      return a->is(TypeKind::class_);
    case TypeKind::any_enum:
      return a->is(TypeKind::enumeration);
    case TypeKind::tuple:
      return a->is(TypeKind::tuple) && tuple_is_subtype(*a, *b);
    case TypeKind::future:
      return a->is(TypeKind::future) && is_subtype(a->element(), b->element());
    case TypeKind::interface:
      if (const auto* type = as_class(a)) return class_implements(*type, *as_interface(b));
      if (const auto* other = as_interface(a)) {
        const auto& wanted = as_interface(b)->methods;
        return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& m) {
          return std::find(other->methods.begin(), other->methods.end(), m) != other->methods.end();
        });
      }
      return false;
    default:
      return false;
  }
}

std::optional<TypePtr> unify(const TypePtr& a, const TypePtr& b, bool default_to_union) {
  if (is_subtype(a, b)) return b;
  if (is_subtype(b, a)) return a;
  if (a->is(TypeKind::none) && !b->is(TypeKind::none)) return optional_of(b);
  if (b->is(TypeKind::none) && !a->is(TypeKind::none)) return optional_of(a);
  bool a_optional = a->is(TypeKind::optional), b_optional = b->is(TypeKind::optional);
  if (a_optional || b_optional) {
    auto inner = unify(a_optional ? a->element() : a, b_optional ? b->element() : b);
    if (inner) return optional_of(*inner);
  }
  bool same_kind = a->kind() == b->kind() && a->contained().size() == b->contained().size();
  if (same_kind && a->is(TypeKind::tuple)) {
    std::vector<TypePtr> members;
    for (size_t i = 0; i < a->contained().size(); ++i) {
      auto member = unify(a->contained()[i], b->contained()[i], default_to_union);
      if (!member) break;
      members.push_back(*member);
    }
    if (members.size() == a->contained().size()) return tuple_of(std::move(members));
  }
  if (same_kind && a->is(TypeKind::future)) {
    if (auto inner = unify(a->element(), b->element())) return future_of(*inner);
  }
  if (default_to_union) return union_of({a, b});
  return std::nullopt;
}

const TupleType* as_tuple(const TypePtr& type) {
  return type && type->is(TypeKind::tuple) ? static_cast<const TupleType*>(type.get()) : nullptr;
}
const ClassType* as_class(const TypePtr& type) {
  return type && type->is(TypeKind::class_) ? static_cast<const ClassType*>(type.get()) : nullptr;
}
const InterfaceType* as_interface(const TypePtr& type) {
  return type && type->is(TypeKind::interface) ? static_cast<const InterfaceType*>(type.get())
                                               : nullptr;
}
const EnumType* as_enum(const TypePtr& type) {
  return type && type->is(TypeKind::enumeration) ? static_cast<const EnumType*>(type.get())
                                                 : nullptr;
}
const TensorType* as_tensor_info(const TypePtr& type) {
  return type && type->is(TypeKind::tensor) ? dynamic_cast<const TensorType*>(type.get()) : nullptr;
}

}  // namespace assay::core
