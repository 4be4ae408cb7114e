#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/core/device.h"
#include "engine/core/dtype.h"
#include "engine/core/shape.h"

namespace assay::core {

class Value;
class Type;
class ClassType;
using TypePtr = std::shared_ptr<const Type>;
using ClassTypePtr = std::shared_ptr<ClassType>;

/// The kinds of TorchScript's static types. `var` is a type variable of an operator schema (`t`).
enum class TypeKind : uint8_t {
  any,
  tensor,
  integer,
  floating,
  complex,
  number,
  boolean,
  string,
  none,
  device,
  generator,
  storage,
  stream,
  list,
  tuple,
  dict,
  optional,
  union_,
  future,
  rref,
  await,
  class_,
  interface,
  enumeration,
  function,
  var,
  any_list,
  any_tuple,
  any_class,
  any_enum,
  capsule
};

/// What a printed tensor type may tell beyond "Tensor".
struct TensorInfo {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<Dims> sizes;
  std::optional<Dims> strides;
  std::optional<bool> requires_grad;
};

/// Bounds on types, far above what programs declare: whatever walks a type may recurse.
inline constexpr uint32_t max_type_depth = 64, max_type_size = 1u << 16;

/// A TorchScript static type. Immutable but for class, interface and enum types under construction;
/// compared by structure (`same_type`), named types by name and identity.
class Type : public std::enable_shared_from_this<Type> {
 public:
  /// Input error for one that nests too deeply or consists of too many parts.
  explicit Type(TypeKind kind, std::vector<TypePtr> contained = {});
  virtual ~Type() = default;

  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }
  /// Element types: list, optional, future {T}; dict {K, V}; tuple and union their members.
  const std::vector<TypePtr>& contained() const { return contained_; }
  const TypePtr& element() const { return contained_[0]; }
  /// Qualified name of a class, interface, enum or named tuple; name of a type variable.
  const std::string& name() const { return name_; }

  /// As PyTorch prints it in graphs and schemas: `int[]`, `Tensor?`, `Dict(str, int)`.
  std::string str() const;
  /// As it is written in TorchScript source: `List[int]`, `Optional[Tensor]`.
  std::string annotation() const;

 protected:
  TypeKind kind_;
  std::vector<TypePtr> contained_;
  std::string name_;

 private:
  uint32_t depth_ = 1, size_ = 1;
};

class TensorType final : public Type {
 public:
  explicit TensorType(TensorInfo tensor_info)
      : Type(TypeKind::tensor), info(std::move(tensor_info)) {}
  const TensorInfo info;
};

/// A tuple; with field names (and a qualified name) it is a named tuple.
class TupleType final : public Type {
 public:
  TupleType(std::vector<TypePtr> members, std::string qualified_name,
            std::vector<std::string> names);
  const std::vector<std::string> fields;  ///< Empty for a plain tuple.
};

class VarType final : public Type {
 public:
  explicit VarType(std::string name);
};

/// A class: attributes in slot order. Methods are names; ir::Unit resolves them to functions.
class ClassType final : public Type {
 public:
  explicit ClassType(std::string qualified_name, bool is_module = false);

  enum class Role : uint8_t { attribute, parameter, buffer };
  struct Attribute {
    std::string name;
    TypePtr type;
    Role role = Role::attribute;
  };
  struct Constant {
    std::string name;
    std::shared_ptr<const Value> value;
  };

  bool is_module() const { return is_module_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  std::optional<size_t> find_attribute(std::string_view name) const;
  size_t add_attribute(std::string name, TypePtr type, Role role = Role::attribute);
  const std::vector<Constant>& constants() const { return constants_; }
  const Value* find_constant(std::string_view name) const;
  void add_constant(std::string name, Value value);
  const std::vector<std::string>& methods() const { return methods_; }
  bool has_method(std::string_view name) const;
  void add_method(std::string name);
  std::string qualified_method(std::string_view method) const;
  /// Forgets what the attributes' types are (Any then) and the constants. Classes whose attributes
  /// name each other own each other; their unit parts them when it ends. An object that lives
  /// longer keeps its attributes' names.
  void release_types();
  /// `forward_pre_hooks`/`forward_hooks` that run around forward, by method name.
  std::vector<std::string> pre_hooks;
  std::vector<std::string> hooks;

 private:
  bool is_module_;
  /// Names are found in constant time: an archive decides how many there are.
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  std::vector<Attribute> attributes_;
  std::vector<Constant> constants_;
  std::vector<std::string> methods_;
  std::unordered_map<std::string, size_t, NameHash, std::equal_to<>> attribute_places_;
  std::unordered_set<std::string, NameHash, std::equal_to<>> method_names_;
};

/// An interface: the names of the methods an implementing class must have.
class InterfaceType final : public Type {
 public:
  explicit InterfaceType(std::string qualified_name, bool is_module);
  bool is_module() const { return is_module_; }
  std::vector<std::string> methods;

 private:
  bool is_module_;
};

class EnumType final : public Type {
 public:
  EnumType(std::string qualified_name, TypePtr value_type);
  const TypePtr& value_type() const { return contained_[0]; }
  struct Member {
    std::string name;
    std::shared_ptr<const Value> value;
  };
  std::vector<Member> members;
};

/// The one instance of a type without parts.
TypePtr simple_type(TypeKind kind);
inline TypePtr tensor_type() { return simple_type(TypeKind::tensor); }
inline TypePtr int_type() { return simple_type(TypeKind::integer); }
inline TypePtr float_type() { return simple_type(TypeKind::floating); }
inline TypePtr bool_type() { return simple_type(TypeKind::boolean); }
inline TypePtr string_type() { return simple_type(TypeKind::string); }
inline TypePtr none_type() { return simple_type(TypeKind::none); }
inline TypePtr any_type() { return simple_type(TypeKind::any); }
inline TypePtr number_type() { return simple_type(TypeKind::number); }
inline TypePtr complex_type() { return simple_type(TypeKind::complex); }
inline TypePtr device_type() { return simple_type(TypeKind::device); }

TypePtr list_of(TypePtr element);
TypePtr dict_of(TypePtr key, TypePtr value);
TypePtr tuple_of(std::vector<TypePtr> members);
TypePtr named_tuple(std::string qualified_name, std::vector<TypePtr> members,
                    std::vector<std::string> fields);
/// Optional[T]; Optional of Optional, of Any and of None are themselves.
TypePtr optional_of(TypePtr element);
/// Flattened and without duplicates; a union of T and None is Optional[T]; of one type, that type.
TypePtr union_of(std::vector<TypePtr> members);
TypePtr future_of(TypePtr element);
TypePtr var_type(std::string name);

bool same_type(const TypePtr& a, const TypePtr& b);
/// Whether a value of type `a` can stand where `b` is wanted, without conversion.
bool is_subtype(const TypePtr& a, const TypePtr& b);
/// The least type that holds both, as PyTorch's unifyTypes: nothing where there is none (when
/// `default_to_union`, then a union).
std::optional<TypePtr> unify(const TypePtr& a, const TypePtr& b, bool default_to_union = false);

/// Downcasts; null if the type is of another kind.
const TupleType* as_tuple(const TypePtr& type);
const ClassType* as_class(const TypePtr& type);
const InterfaceType* as_interface(const TypePtr& type);
const EnumType* as_enum(const TypePtr& type);
const TensorType* as_tensor_info(const TypePtr& type);

}  // namespace assay::core
