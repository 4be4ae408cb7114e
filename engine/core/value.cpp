#include "engine/core/value.h"

#include <algorithm>

#include "engine/base/stack.h"
#include "engine/core/generator.h"

namespace assay::core {
namespace {

constexpr std::string_view tag_names[] = {
    "None", "bool",  "int",  "float",  "Device", "Tensor",   "complex", "str",
    "List", "Tuple", "Dict", "Object", "Enum",   "Function", "Future",  "Generator"};

constexpr std::string_view a_value = "a value";

size_t combine(size_t seed, size_t part) { return seed * 1099511628211ull ^ part; }

// Containers that hold the same part many times unfold to far more than they are: what was looked
// at once is not looked at again, so that the work stays proportional to what is there.

/// One comparison of two values. It ends at the first difference, so a pair of containers that was
/// compared before is equal.
class Comparison {
 public:
  bool equal(const Value& a, const Value& b) {
    if (a.is_list() && b.is_list()) return once(a.list(), b.list(), &Comparison::members_equal);
    if (a.is_tuple() && b.is_tuple()) return once(a.tuple(), b.tuple(), &Comparison::members_equal);
    if (a.is_dict() && b.is_dict()) return once(a.dict(), b.dict(), &Comparison::entries_equal);
    return a.equals(b);
  }

  /// Tuples of the very same members.
  bool same(const Value& a, const Value& b) {
    if (!a.is_tuple() || !b.is_tuple()) return a.same(b);
    return once(a.tuple(), b.tuple(), &Comparison::members_same);
  }

 private:
  template <typename Container>
  bool once(const Container& a, const Container& b,
            bool (Comparison::*compare)(const Container&, const Container&)) {
    auto [state, first] = done_.try_emplace({&a, &b}, false);
    if (!first) {
      base::check(state->second, "values that hold themselves cannot be compared");
      return true;
    }
    base::check_stack(a_value);
    bool* done = &state->second;  // A map that grows keeps its elements where they are.
    return *done = (this->*compare)(a, b);
  }

  template <typename Container>
  bool members_equal(const Container& a, const Container& b) {
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                      [&](const Value& x, const Value& y) { return equal(x, y); });
  }

  bool members_same(const TupleObject& a, const TupleObject& b) {
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                      [&](const Value& x, const Value& y) { return same(x, y); });
  }

  bool entries_equal(const DictObject& a, const DictObject& b) {
    return a.size() == b.size() &&
           std::all_of(a.entries().begin(), a.entries().end(), [&](const DictObject::Entry& e) {
             const Value* other = b.find(e.key);
             return other && equal(*other, e.value);
           });
  }

  struct Hash {
    size_t operator()(const std::pair<const void*, const void*>& p) const {
      return combine(std::hash<const void*>()(p.first), std::hash<const void*>()(p.second));
    }
  };
  std::unordered_map<std::pair<const void*, const void*>, bool, Hash> done_;
};

/// One hash of a tuple.
class TupleHash {
 public:
  explicit TupleHash(size_t (*of_other)(const Value&)) : of_other_(of_other) {}

  size_t of(const TupleObject& tuple) {
    base::check_stack(a_value);
    size_t seed = 14695981039346656037ull;
    for (const Value& item : tuple.items) seed = combine(seed, of_member(item));
    return seed;
  }

 private:
  size_t of_member(const Value& item) {
    if (!item.is_tuple()) return of_other_(item);
    auto known = known_.find(&item.tuple());
    if (known != known_.end()) return known->second;
    return known_[&item.tuple()] = of(item.tuple());
  }

  size_t (*of_other_)(const Value&);
  std::unordered_map<const TupleObject*, size_t> known_;
};

}  // namespace

Value::Value(Complex128 v) : Value(Tag::complex, base::make_ref<ComplexObject>(v)) {}
Value::Value(const Scalar& v) : Value() {
  switch (v.category()) {
    case DTypeCategory::boolean:
      *this = Value(v.to_bool());
      break;
    case DTypeCategory::integral:
      *this = Value(v.to_int());
      break;
    case DTypeCategory::floating:
      *this = Value(v.to_double());
      break;
    case DTypeCategory::complex:
      *this = Value(v.to_complex());
      break;
  }
}
Value::Value(std::string v) : Value(Tag::string, base::make_ref<StringObject>(std::move(v))) {}
Value::Value(ListRef v) : Value(Tag::list, std::move(v)) {}
Value::Value(TupleRef v) : Value(Tag::tuple, std::move(v)) {}
Value::Value(DictRef v) : Value(Tag::dict, std::move(v)) {}
Value::Value(ObjectRef v) : Value(Tag::object, std::move(v)) {}
Value::Value(EnumRef v) : Value(Tag::enumeration, std::move(v)) {}
Value::Value(FunctionRef v) : Value(Tag::function, std::move(v)) {}
Value::Value(FutureRef v) : Value(Tag::future, std::move(v)) {}
Value::Value(base::Ref<Generator> v) : Value(Tag::generator, std::move(v)) {}

void Value::wrong_kind(Tag wanted) const {
  base::fail("expected a value of type ", tag_names[static_cast<size_t>(wanted)], " but found ",
             kind_name());
}

Complex128 Value::to_complex() const {
  expect(Tag::complex);
  return static_cast<ComplexObject*>(payload_.ref)->value;
}

Scalar Value::to_scalar() const {
  switch (tag_) {
    case Tag::boolean:
      return Scalar(payload_.i != 0);
    case Tag::integer:
      return Scalar(payload_.i);
    case Tag::floating:
      return Scalar(payload_.d);
    case Tag::complex:
      return Scalar(to_complex());
    default:
      base::fail("expected a number but found ", kind_name());
  }
}

const std::string& Value::to_string() const {
  expect(Tag::string);
  return static_cast<StringObject*>(payload_.ref)->text;
}

ListObject& Value::list() const {
  return expect(Tag::list), *static_cast<ListObject*>(payload_.ref);
}
TupleObject& Value::tuple() const {
  return expect(Tag::tuple), *static_cast<TupleObject*>(payload_.ref);
}
DictObject& Value::dict() const {
  return expect(Tag::dict), *static_cast<DictObject*>(payload_.ref);
}
Object& Value::object() const { return expect(Tag::object), *static_cast<Object*>(payload_.ref); }
EnumObject& Value::enumeration() const {
  return expect(Tag::enumeration), *static_cast<EnumObject*>(payload_.ref);
}
FunctionObject& Value::function() const {
  return expect(Tag::function), *static_cast<FunctionObject*>(payload_.ref);
}
FutureObject& Value::future() const {
  return expect(Tag::future), *static_cast<FutureObject*>(payload_.ref);
}
Generator& Value::generator() const {
  return expect(Tag::generator), *static_cast<Generator*>(payload_.ref);
}

bool Value::same(const Value& other) const {
  if (tag_ != other.tag_) return false;
  switch (tag_) {
    case Tag::tensor:
    case Tag::list:
    case Tag::dict:
    case Tag::object:
    case Tag::future:
    case Tag::generator:
      return payload_.ref == other.payload_.ref;
    case Tag::tuple:
      return Comparison().same(*this, other);
    default:
      return equals(other);
  }
}

bool Value::equals(const Value& other) const {
  if (is_number() && other.is_number()) {
    if (is_complex() || other.is_complex()) {
      return to_scalar().to_complex() == other.to_scalar().to_complex();
    }
    if (is_float() || other.is_float()) {
      return to_scalar().to_double() == other.to_scalar().to_double();
    }
    return payload_.i == other.payload_.i;
  }
  if (tag_ != other.tag_) return false;
  switch (tag_) {
    case Tag::none:
      return true;
    case Tag::device:
      return payload_.i == other.payload_.i;
    case Tag::string:
      return to_string() == other.to_string();
    case Tag::list:
    case Tag::tuple:
    case Tag::dict:
      return Comparison().equal(*this, other);
    case Tag::enumeration:
      return same_type(enumeration().type, other.enumeration().type) &&
             enumeration().name == other.enumeration().name;
    case Tag::function:
      return function().qualified_name == other.function().qualified_name;
    default:
      return payload_.ref == other.payload_.ref;
  }
}

std::string Value::kind_name() const {
  if (is_object()) return object().type->name();
  return std::string{tag_names[static_cast<size_t>(tag_)]};
}

TypePtr Value::type() const {
  switch (tag_) {
    case Tag::none:
      return none_type();
    case Tag::boolean:
      return bool_type();
    case Tag::integer:
      return int_type();
    case Tag::floating:
      return float_type();
    case Tag::device:
      return device_type();
    case Tag::tensor:
      return tensor_type();
    case Tag::complex:
      return complex_type();
    case Tag::string:
      return string_type();
    case Tag::list:
      return list_of(list().element);
    case Tag::tuple: {
      if (tuple().named) return tuple().named;
      base::check_stack(a_value);
      std::vector<TypePtr> members;
      for (const auto& item : tuple().items) members.push_back(item.type());
      return tuple_of(std::move(members));
    }
    case Tag::dict:
      return dict_of(dict().key, dict().value);
    case Tag::object:
      return object().type;
    case Tag::enumeration:
      return enumeration().type;
    case Tag::function:
      return simple_type(TypeKind::function);
    case Tag::future:
      return future_of(future().element ? future().element : any_type());
    case Tag::generator:
      return simple_type(TypeKind::generator);
  }
  return any_type();
}

size_t DictObject::Hash::operator()(const Value& v) const {
  switch (v.tag()) {
    // Equal numbers hash alike whatever their kind: 1 == 1.0 == True.
    case Value::Tag::boolean:
    case Value::Tag::integer:
    case Value::Tag::floating:
    case Value::Tag::complex:
      return std::hash<double>()(v.to_scalar().to_double());
    case Value::Tag::string:
      return std::hash<std::string>()(v.to_string());
    case Value::Tag::device:
      return static_cast<size_t>(v.to_device().index) + 7;
    case Value::Tag::enumeration:
      return std::hash<std::string>()(v.enumeration().name);
    case Value::Tag::tensor:
      return std::hash<const void*>()(v.tensor_impl());
    case Value::Tag::tuple:
      return TupleHash([](const Value& item) { return Hash()(item); }).of(v.tuple());
    default:
      base::fail("a value of type ", v.kind_name(), " cannot be the key of a dictionary");
  }
}

bool holds(std::span<const Value> values, const TensorImpl& tensor) {
  bool found = false;
  for_each_tensor(values, [&](const TensorImpl& t) { found = found || &t == &tensor; });
  return found;
}

const Value* DictObject::find(const Value& wanted) const {
  auto found = index_.find(wanted);
  return found == index_.end() ? nullptr : &entries_[found->second].value;
}

void DictObject::set(const Value& at, Value to) {
  auto [place, fresh] = index_.try_emplace(at, entries_.size());
  if (fresh) {
    entries_.push_back({at, std::move(to)});
  } else {
    entries_[place->second].value = std::move(to);
  }
}

bool DictObject::erase(const Value& wanted) {
  auto found = index_.find(wanted);
  if (found == index_.end()) return false;
  size_t gone = found->second;
  index_.erase(found);
  entries_.erase(entries_.begin() + static_cast<long>(gone));
  for (auto& [key_value, position] : index_) {
    if (position > gone) --position;
  }
  return true;
}

void DictObject::clear() {
  index_.clear();
  entries_.clear();
}

Object::Object(ClassTypePtr class_type)
    : type(std::move(class_type)), slots(type->attributes().size()) {}

const Value& Object::attribute(std::string_view name) const {
  auto slot = type->find_attribute(name);
  base::check(slot.has_value(), "'", type->name(), "' object has no attribute '", name, "'");
  if (*slot >= slots.size())
    base::fail("attribute '", name, "' of ", type->name(), " was never set");
  return slots[*slot];
}

void Object::set_attribute(std::string_view name, Value value) {
  auto slot = type->find_attribute(name);
  base::check(slot.has_value(), "'", type->name(), "' object has no attribute '", name, "'");
  if (*slot >= slots.size()) slots.resize(type->attributes().size());
  slots[*slot] = std::move(value);
}

ListRef make_list(TypePtr element, Values items) {
  return base::make_ref<ListObject>(std::move(element), std::move(items));
}
ListRef make_int_list(std::span<const int64_t> items) {
  return make_list(int_type(), Values(items.begin(), items.end()));
}
ListRef make_tensor_list(std::vector<Tensor> items) {
  return make_list(tensor_type(), Values(items.begin(), items.end()));
}
TupleRef make_tuple(Values items) { return base::make_ref<TupleObject>(std::move(items)); }
DictRef make_dict(TypePtr key, TypePtr value) {
  return base::make_ref<DictObject>(std::move(key), std::move(value));
}

bool is_instance(const Value& value, const TypePtr& type) {
  if (type->is(TypeKind::any)) return true;
  if (value.is_tuple() && type->is(TypeKind::tuple)) {
    const auto& items = value.tuple().items;
    const auto& members = type->contained();
    if (!as_tuple(type)->fields.empty() && !value.tuple().named) return false;
    return std::equal(items.begin(), items.end(), members.begin(), members.end(), is_instance);
  }
  if (type->is(TypeKind::optional) || type->is(TypeKind::union_)) {
    if (value.is_none()) return is_subtype(none_type(), type);
    const auto& members = type->contained();
    return std::any_of(members.begin(), members.end(),
                       [&](const TypePtr& m) { return is_instance(value, m); });
  }
  return is_subtype(value.type(), type);
}

}  // namespace assay::core
