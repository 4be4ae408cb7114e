#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/ref.h"
#include "engine/core/device.h"
#include "engine/core/scalar.h"
#include "engine/core/tensor.h"
#include "engine/core/type.h"

namespace assay::core {

struct StringObject;
struct ListObject;
struct TupleObject;
struct DictObject;
struct Object;
struct EnumObject;
struct FunctionObject;
struct FutureObject;
struct ComplexObject;
class Generator;

using ListRef = base::Ref<ListObject>;
using TupleRef = base::Ref<TupleObject>;
using DictRef = base::Ref<DictObject>;
using ObjectRef = base::Ref<Object>;
using EnumRef = base::Ref<EnumObject>;
using FunctionRef = base::Ref<FunctionObject>;
using FutureRef = base::Ref<FutureObject>;

/// Everything that a running program can hold, in 16 bytes. Lists, dicts and objects are shared by
/// reference, as in Python. dtypes, layouts and memory formats are ints, as in TorchScript.
///
/// A bool, int or float can have an identity: a number that says where it came from. It goes along
/// with copies and takes no part in comparisons. Who gives identities knows what they mean
/// (ops::SizeTracker: expressions over the sizes of inputs).
class Value {
 public:
  enum class Tag : uint8_t {
    none,
    boolean,
    integer,
    floating,
    device,  // held inline
    tensor,
    complex,
    string,
    list,
    tuple,
    dict,
    object,
    enumeration,
    function,
    future,
    generator
  };

  Value() { payload_.i = 0; }
  Value(std::nullptr_t) : Value() {}                             // NOLINT
  Value(bool v) : tag_(Tag::boolean) { payload_.i = v; }         // NOLINT
  Value(int64_t v) : tag_(Tag::integer) { payload_.i = v; }      // NOLINT
  Value(int v) : Value(static_cast<int64_t>(v)) {}               // NOLINT
  Value(double v) : tag_(Tag::floating) { payload_.d = v; }      // NOLINT
  Value(Device v) : tag_(Tag::device) { payload_.i = pack(v); }  // NOLINT
  Value(Complex128 v);                                           // NOLINT
  Value(const Scalar& v);                                        // NOLINT
  /// An undefined tensor becomes None.
  Value(Tensor v) : Value() {  // NOLINT
    if (!v) return;
    tag_ = Tag::tensor;
    payload_.ref = std::move(v).take_impl().detach();
  }
  Value(std::string v);                                 // NOLINT
  Value(std::string_view v) : Value(std::string{v}) {}  // NOLINT
  Value(const char* v) : Value(std::string{v}) {}       // NOLINT
  Value(ListRef v);                                     // NOLINT
  Value(TupleRef v);                                    // NOLINT
  Value(DictRef v);                                     // NOLINT
  Value(ObjectRef v);                                   // NOLINT
  Value(EnumRef v);                                     // NOLINT
  Value(FunctionRef v);                                 // NOLINT
  Value(FutureRef v);                                   // NOLINT
  Value(base::Ref<Generator> v);                        // NOLINT

  Value(const Value& other)
      : tag_(other.tag_), identity_(other.identity_), payload_(other.payload_) {
    if (counted() && payload_.ref) payload_.ref->retain();
  }
  Value(Value&& other) noexcept
      : tag_(other.tag_), identity_(other.identity_), payload_(other.payload_) {
    other.tag_ = Tag::none;
    other.payload_.i = 0;
  }
  Value& operator=(Value other) noexcept {
    std::swap(tag_, other.tag_);
    identity_ = other.identity_;
    std::swap(payload_, other.payload_);
    return *this;
  }
  /// Takes a number without making a value of it first: registers are written all the time.
  Value& operator=(std::same_as<bool> auto v) noexcept {
    become(Tag::boolean);
    payload_.i = v;
    return *this;
  }
  Value& operator=(std::same_as<int64_t> auto v) noexcept {
    become(Tag::integer);
    payload_.i = v;
    return *this;
  }
  Value& operator=(std::same_as<double> auto v) noexcept {
    become(Tag::floating);
    payload_.d = v;
    return *this;
  }
  ~Value() {
    if (counted() && payload_.ref) payload_.ref->release();
  }
  /// Becomes None.
  void reset() {
    base::RefCounted* shared = counted() ? payload_.ref : nullptr;
    tag_ = Tag::none;
    payload_.i = 0;
    if (shared) shared->release();
  }

  Tag tag() const { return tag_; }
  bool is_none() const { return tag_ == Tag::none; }
  bool is_bool() const { return tag_ == Tag::boolean; }
  bool is_int() const { return tag_ == Tag::integer; }
  bool is_float() const { return tag_ == Tag::floating; }
  bool is_complex() const { return tag_ == Tag::complex; }
  /// bool, int, float or complex.
  bool is_number() const { return is_bool() || is_int() || is_float() || is_complex(); }
  bool is_device() const { return tag_ == Tag::device; }
  bool is_tensor() const { return tag_ == Tag::tensor; }
  bool is_string() const { return tag_ == Tag::string; }
  bool is_list() const { return tag_ == Tag::list; }
  bool is_tuple() const { return tag_ == Tag::tuple; }
  bool is_dict() const { return tag_ == Tag::dict; }
  bool is_object() const { return tag_ == Tag::object; }
  bool is_enum() const { return tag_ == Tag::enumeration; }
  bool is_function() const { return tag_ == Tag::function; }
  bool is_future() const { return tag_ == Tag::future; }
  bool is_generator() const { return tag_ == Tag::generator; }

  /// Accessors raise an input error that names both kinds when the value is of another kind.
  bool to_bool() const { return expect(Tag::boolean), payload_.i != 0; }
  int64_t to_int() const { return expect(Tag::integer), payload_.i; }
  double to_float() const { return expect(Tag::floating), payload_.d; }
  /// The counter of a loop, one further: in place, since loops do it all the time.
  int64_t count_up() {
    expect(Tag::integer);
    identity_ = 0;
    return ++payload_.i;
  }
  Device to_device() const { return expect(Tag::device), unpack(payload_.i); }
  Complex128 to_complex() const;
  /// Any number.
  Scalar to_scalar() const;
  /// None gives an undefined tensor.
  Tensor to_tensor() const {
    if (is_none()) return Tensor();
    return expect(Tag::tensor), Tensor(ref<TensorImpl>());
  }
  const std::string& to_string() const;
  ListObject& list() const;
  TupleObject& tuple() const;
  DictObject& dict() const;
  Object& object() const;
  EnumObject& enumeration() const;
  FunctionObject& function() const;
  FutureObject& future() const;
  Generator& generator() const;
  /// The shared handle behind list(), object() and the like.
  template <typename T>
  base::Ref<T> ref() const {
    return base::Ref<T>(static_cast<T*>(payload_.ref));
  }
  /// The tensor object itself, unchecked; for hot paths that know the tag.
  TensorImpl* tensor_impl() const { return static_cast<TensorImpl*>(payload_.ref); }

  /// Which identity the number has; 0 for none.
  uint32_t identity() const { return identity_; }
  /// The same number with this identity; 0 takes it away.
  Value with_identity(uint32_t identity) const {
    Value same = *this;
    same.identity_ = identity;
    return same;
  }

  /// Python's `is`: same object, or equal None/bool/int/float/device/enum.
  bool same(const Value& other) const;
  /// Python's `==` over values without tensors (tensors compare by identity).
  bool equals(const Value& other) const;
  /// "Tensor", "int", "List": what the value is, for messages.
  std::string kind_name() const;
  /// The most precise static type of the value (lists and dicts know their element types).
  TypePtr type() const;

 private:
  static int64_t pack(Device d) {
    return static_cast<int64_t>(d.type) * 256 + static_cast<uint8_t>(d.index);
  }
  static Device unpack(int64_t i) {
    return {static_cast<DeviceType>(i / 256), static_cast<int8_t>(i % 256)};
  }
  bool counted() const { return tag_ >= Tag::tensor; }
  /// What it held is given up; the payload is the caller's to write.
  void become(Tag tag) {
    if (counted()) [[unlikely]]
      reset();
    tag_ = tag;
    identity_ = 0;
  }
  void expect(Tag tag) const {
    if (tag_ != tag) [[unlikely]]
      wrong_kind(tag);
  }
  [[noreturn]] void wrong_kind(Tag wanted) const;
  template <typename T>
  Value(Tag tag, base::Ref<T> object) : tag_(tag) {
    payload_.ref = object.detach();
  }

  Tag tag_ = Tag::none;
  uint32_t identity_ = 0;  // In bytes that would lie idle.
  union {
    int64_t i;
    double d;
    base::RefCounted* ref;
  } payload_;
};

using Values = std::vector<Value>;

struct StringObject final : base::RefCounted {
  explicit StringObject(std::string t) : text(std::move(t)) {}
  const std::string text;
};

struct ComplexObject final : base::RefCounted {
  explicit ComplexObject(Complex128 v) : value(v) {}
  const Complex128 value;
};

struct ListObject final : base::RefCounted {
  ListObject(TypePtr element_type, Values list_items)
      : element(std::move(element_type)), items(std::move(list_items)) {}
  TypePtr element;
  Values items;
};

struct TupleObject final : base::RefCounted {
  explicit TupleObject(Values members, TypePtr named_type = nullptr)
      : items(std::move(members)), named(std::move(named_type)) {}
  const Values items;
  const TypePtr named;  ///< The TupleType of a named tuple; null for a plain one.
};

/// Calls `visit(TensorImpl&)` for the tensor that a value is, or for each in a list: what calls of
/// operators take and give.
template <typename Visit>
void for_each_tensor(const Value& value, const Visit& visit) {
  if (value.is_tensor()) visit(*value.tensor_impl());
  if (value.is_list()) {
    for (const Value& item : value.list().items) for_each_tensor(item, visit);
  }
}
template <typename Visit>
void for_each_tensor(std::span<const Value> values, const Visit& visit) {
  for (const Value& value : values) for_each_tensor(value, visit);
}

/// Whether the tensor itself is among what a call takes or gives.
bool holds(std::span<const Value> values, const TensorImpl& tensor);

/// Insertion-ordered. Keys are int, float, bool, complex, str, device, enum, or tensor (by
/// identity).
struct DictObject final : base::RefCounted {
  DictObject(TypePtr key_type, TypePtr value_type)
      : key(std::move(key_type)), value(std::move(value_type)) {}

  TypePtr key;
  TypePtr value;

  struct Entry {
    Value key;
    Value value;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  size_t size() const { return entries_.size(); }
  /// Null if absent.
  const Value* find(const Value& wanted) const;
  void set(const Value& at, Value to);
  /// False if absent.
  bool erase(const Value& wanted);
  void clear();

 private:
  struct Hash {
    size_t operator()(const Value& v) const;
  };
  struct Equal {
    bool operator()(const Value& a, const Value& b) const { return a.equals(b); }
  };
  std::vector<Entry> entries_;
  std::unordered_map<Value, size_t, Hash, Equal> index_;
};

/// An instance of a class type: its slots. Methods are found by name through ir::Unit.
struct Object final : base::RefCounted {
  explicit Object(ClassTypePtr class_type);
  ClassTypePtr type;
  Values slots;
  /// What an object of a class implemented in C++ keeps (ops/native_class.h); null for others.
  base::Ref<base::RefCounted> native;

  /// Input error that names class and attribute if absent.
  const Value& attribute(std::string_view name) const;
  void set_attribute(std::string_view name, Value value);
};

struct EnumObject final : base::RefCounted {
  EnumObject(TypePtr enum_type, std::string member, Value member_value)
      : type(std::move(enum_type)), name(std::move(member)), value(std::move(member_value)) {}
  const TypePtr type;
  const std::string name;
  const Value value;
};

/// A function or bound method as a value: a name that ir::Unit resolves.
struct FunctionObject final : base::RefCounted {
  FunctionObject(std::string name, Value bound_self, Values closed_over = {})
      : qualified_name(std::move(name)),
        self(std::move(bound_self)),
        captured(std::move(closed_over)) {}
  const std::string qualified_name;
  const Value self;
  const Values captured;
};

/// The result of prim::fork. assay runs forked calls at once, so it is complete when it is seen.
struct FutureObject final : base::RefCounted {
  TypePtr element;
  Value value;
  std::shared_ptr<const base::Error> error;  ///< What the forked call raised, if it did.
};

ListRef make_list(TypePtr element, Values items);
/// A list[int].
ListRef make_int_list(std::span<const int64_t> items);
/// A list[Tensor].
ListRef make_tensor_list(std::vector<Tensor> items);
TupleRef make_tuple(Values items);
DictRef make_dict(TypePtr key, TypePtr value);

/// Whether the value is an instance of the type (nested containers are checked by the element type
/// that they carry).
bool is_instance(const Value& value, const TypePtr& type);

}  // namespace assay::core
