#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/script/detail/schema_match.h"

namespace assay::script {

using StaticValuePtr = std::shared_ptr<StaticValue>;

/// What an expression can mean while a function is compiled: a value of the graph, or something
/// that exists at compile time only (a class, a namespace, a method, `range(3)`). Each operation
/// raises an input error at `range` unless the kind of value overrides it.
class StaticValue : public std::enable_shared_from_this<StaticValue> {
 public:
  using Emission = detail::Emission;
  using Range = base::SourceRange;
  virtual ~StaticValue() = default;

  /// What messages call it: "module", "a value of type 'int'".
  virtual std::string kind() const = 0;
  /// As a value of the graph.
  virtual ir::Value* value(Emission& emission, const Range& range);
  /// `x.name`
  virtual StaticValuePtr attribute(Emission& emission, const Range& range, const std::string& name);
  /// `hasattr(x, name)`
  virtual bool has_attribute(Emission& emission, const Range& range, const std::string& name);
  /// `x.name = value`
  virtual void set_attribute(Emission& emission, const Range& range, const std::string& name,
                             ir::Value* to);
  /// The parts that `a, b = x` assigns; a list needs to be told how many.
  virtual std::vector<StaticValuePtr> parts(Emission& emission, const Range& range,
                                            std::optional<size_t> count);
  /// `x(args, kwargs)`
  virtual StaticValuePtr call(Emission& emission, const Range& range, const detail::Actuals& args,
                              const detail::Actuals& kwargs);
  /// What `for … in x` iterates over.
  virtual StaticValuePtr iterable(Emission& emission, const Range& range);
  /// The number of iterations, where it is known now; such loops are unrolled.
  virtual std::optional<int64_t> static_length() const { return std::nullopt; }
  virtual ir::Value* length(Emission& emission, const Range& range);
  /// `x[index]`; `hint` is the type that the context expects, or null.
  virtual StaticValuePtr item(Emission& emission, const Range& range, ir::Value* index,
                              const core::TypePtr& hint);

 protected:
  template <typename... Parts>
  [[noreturn]] void refuse(const Range& range, const Parts&... parts) const {
    base::fail_at(range, kind(), " ", parts...);
  }
};

}  // namespace assay::script

namespace assay::script::detail {

/// A value of the graph.
class SimpleValue : public StaticValue {
 public:
  explicit SimpleValue(ir::Value* graph_value) : value_(graph_value) {}
  ir::Value* get() const { return value_; }

  std::string kind() const override;
  ir::Value* value(Emission&, const Range&) override { return value_; }
  StaticValuePtr attribute(Emission&, const Range&, const std::string&) override;
  bool has_attribute(Emission&, const Range&, const std::string&) override;
  void set_attribute(Emission&, const Range&, const std::string&, ir::Value*) override;
  std::vector<StaticValuePtr> parts(Emission&, const Range&, std::optional<size_t>) override;
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;
  StaticValuePtr iterable(Emission&, const Range&) override;
  ir::Value* length(Emission&, const Range&) override;
  StaticValuePtr item(Emission&, const Range&, ir::Value*, const TypePtr&) override;

 private:
  StaticValuePtr property(Emission&, const std::string&);
  StaticValuePtr member(Emission&, const Range&, const std::string&);
  void add_attribute(Emission&, const Range&, const std::string&, ir::Value*);

  ir::Value* value_;
};

inline StaticValuePtr simple(ir::Value* value) { return std::make_shared<SimpleValue>(value); }
/// The graph's value behind a static one; null if it is of another kind.
inline ir::Value* as_simple(const StaticValuePtr& value) {
  auto found = dynamic_cast<const SimpleValue*>(value.get());
  return found ? found->get() : nullptr;
}

/// An operator, or a method of a built-in type with its `self`.
class BuiltinFunction : public StaticValue {
 public:
  explicit BuiltinFunction(base::Symbol name, std::optional<Actual> self = std::nullopt)
      : name_(name), self_(std::move(self)) {}
  std::string kind() const override { return "builtin " + name_.text(); }
  ir::Value* value(Emission&, const Range& range) override {
    base::fail_at(range, "a builtin cannot be used as a value: ", name_.text());
  }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  base::Symbol name_;
  std::optional<Actual> self_;
};

/// What a call of an unknown operator gives: a tensor, or as many as are unpacked.
class UnknownResult final : public SimpleValue {
 public:
  explicit UnknownResult(ir::Node& call) : SimpleValue(call.output(0)), call_(call) {}
  std::vector<StaticValuePtr> parts(Emission&, const Range&, std::optional<size_t>) override;

 private:
  ir::Node& call_;
};

/// An operator that the catalog does not have, in the code of an archive. The call stays in the
/// graph, its results taken for tensors: running it is an error of kind `unsupported`, but the rest
/// of the program can be looked at, and the PyTorch that made the archive may run it.
class UnknownOperator final : public StaticValue {
 public:
  explicit UnknownOperator(base::Symbol name) : name_(name) {}
  std::string kind() const override { return "the unknown operator " + name_.text(); }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  base::Symbol name_;
};

/// Whether an operator of this name takes a `self` of this type.
bool has_method(base::Symbol name, const TypePtr& self);

/// `int(x)`: nothing where x is one already.
class CastFunction final : public BuiltinFunction {
 public:
  CastFunction(TypePtr type, base::Symbol name) : BuiltinFunction(name), type_(std::move(type)) {}
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  TypePtr type_;
};

/// A function of the language that a class can define for itself: `len(x)`, `a + b`.
class MagicMethod final : public StaticValue {
 public:
  MagicMethod(std::string name, StaticValuePtr otherwise)
      : name_(std::move(name)), otherwise_(std::move(otherwise)) {}
  std::string kind() const override { return otherwise_->kind(); }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  std::string name_;
  StaticValuePtr otherwise_;
};

/// `tensor.float()`
class TensorCast final : public StaticValue {
 public:
  TensorCast(core::DType dtype, ir::Value* self) : dtype_(dtype), self_(self) {}
  std::string kind() const override { return "a conversion of a tensor"; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  core::DType dtype_;
  ir::Value* self_;
};

/// Whether calls of operators that the catalog does not have stay in the graph.
enum class UnknownOperators { refuse, keep };

/// A namespace of operators: `torch`, `ops.prim`.
class OperatorNamespace final : public StaticValue {
 public:
  explicit OperatorNamespace(std::string space, UnknownOperators unknown = UnknownOperators::refuse)
      : space_(std::move(space)), unknown_(unknown) {}
  std::string kind() const override { return "the namespace " + space_; }
  StaticValuePtr attribute(Emission&, const Range&, const std::string& name) override;

 private:
  std::string space_;
  UnknownOperators unknown_;
};

/// `ops`, whose members are namespaces of operators.
class OperatorLibraries final : public StaticValue {
 public:
  explicit OperatorLibraries(UnknownOperators unknown = UnknownOperators::refuse)
      : unknown_(unknown) {}
  std::string kind() const override { return "ops"; }
  StaticValuePtr attribute(Emission&, const Range&, const std::string& name) override {
    return std::make_shared<OperatorNamespace>(name, unknown_);
  }

 private:
  UnknownOperators unknown_;
};

class ClassValue final : public StaticValue {
 public:
  explicit ClassValue(core::ClassTypePtr class_type) : type(std::move(class_type)) {}
  const core::ClassTypePtr type;
  std::string kind() const override { return "the class " + type->name(); }
  StaticValuePtr attribute(Emission&, const Range&, const std::string& name) override;
  /// Makes an object and calls its __init__.
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;
};

class NamedTupleConstructor final : public StaticValue {
 public:
  /// `defaults` are the values of the last fields.
  explicit NamedTupleConstructor(TypePtr tuple, core::Values defaults = {})
      : type_(std::move(tuple)), defaults_(std::move(defaults)) {}
  std::string kind() const override { return "the named tuple " + type_->name(); }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  TypePtr type_;
  core::Values defaults_;
};

class EnumClass final : public StaticValue {
 public:
  explicit EnumClass(TypePtr enumeration) : type_(std::move(enumeration)) {}
  std::string kind() const override { return "the enum " + type_->name(); }
  StaticValuePtr attribute(Emission&, const Range&, const std::string& name) override;
  StaticValuePtr iterable(Emission&, const Range&) override;

 private:
  core::Value member(const core::EnumType::Member& m) const;
  TypePtr type_;
};

/// Something with one signature.
class Callable : public StaticValue {
 public:
  /// Calls it if the arguments fit, with or without conversions; null if they do not.
  virtual StaticValuePtr try_call(Emission&, const Range&, const Actuals&, const Actuals&,
                                  bool implicit) = 0;
};

class FunctionValue final : public Callable {
 public:
  explicit FunctionValue(ir::Function& callee) : callee_(callee) {}
  std::string kind() const override { return "the function " + callee_.qualified_name(); }
  StaticValuePtr try_call(Emission&, const Range&, const Actuals&, const Actuals&, bool) override;
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  StaticValuePtr emit(Emission&, const Range&, const MatchedCall& call);
  ir::Function& callee_;
};

/// A method bound to its object (or to a value of an interface type).
class MethodValue final : public Callable {
 public:
  MethodValue(ir::Value* self, std::string name) : self_(self), name_(std::move(name)) {}
  std::string kind() const override { return "the method " + name_; }
  StaticValuePtr try_call(Emission&, const Range&, const Actuals&, const Actuals&, bool) override;
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  const ops::Schema& signature(Emission&, const Range&) const;
  StaticValuePtr emit(Emission&, const Range&, const MatchedCall& call);
  ir::Value* self_;
  std::string name_;
};

class PrintFunction final : public StaticValue {
 public:
  std::string kind() const override { return "print"; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;
};

/// What a call without a result gives.
class NothingValue final : public StaticValue {
 public:
  std::string kind() const override { return "a call without a result"; }
};

/// Something that looks like a call but is not evaluated like one: `annotate`, `isinstance`.
class SpecialForm final : public StaticValue {
 public:
  explicit SpecialForm(base::Symbol name, ir::Value* subject = nullptr)
      : form(name), self(subject) {}
  const base::Symbol form;
  ir::Value* const self;
  std::string kind() const override { return std::string(form.name()); }
};

/// An exception class, and an exception made of it.
class ExceptionClass final : public StaticValue {
 public:
  /// `prefix` starts the message ("AssertionError: "); `qualified_name` is what is raised, if
  /// known.
  explicit ExceptionClass(std::string prefix, std::string qualified_name = {})
      : prefix_(std::move(prefix)), qualified_name_(std::move(qualified_name)) {}
  std::string kind() const override { return "an exception class"; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  std::string prefix_;
  std::string qualified_name_;
};

class ExceptionInstance final : public StaticValue {
 public:
  ExceptionInstance(ir::Value* text, ir::Value* class_name_or_null)
      : message(text), class_name(class_name_or_null) {}
  ir::Value* const message;
  ir::Value* const class_name;
  std::string kind() const override { return "an exception"; }
};

/// A function body inside a function, for fork.
class ClosureValue final : public StaticValue {
 public:
  explicit ClosureValue(ir::Value* closure) : value_(closure) {}
  std::string kind() const override { return "a closure"; }
  ir::Value* value(Emission&, const Range&) override { return value_; }

 private:
  ir::Value* value_;
};

/// `range(…)`
class RangeValue final : public StaticValue {
 public:
  RangeValue(Emission&, const Range&, const std::vector<ir::Value*>& inputs,
             std::optional<int64_t> static_length = std::nullopt);
  std::string kind() const override { return "range"; }
  StaticValuePtr iterable(Emission&, const Range&) override { return shared_from_this(); }
  std::optional<int64_t> static_length() const override { return static_length_; }
  ir::Value* length(Emission&, const Range&) override;
  StaticValuePtr item(Emission&, const Range&, ir::Value*, const TypePtr&) override;

 private:
  ir::Value* start_ = nullptr;
  ir::Value* end_ = nullptr;
  ir::Value* step_ = nullptr;
  bool end_only_ = false;
  std::optional<int64_t> static_length_;
};

/// A tuple whose members need not be values of the graph.
class StaticTuple final : public StaticValue {
 public:
  explicit StaticTuple(std::vector<StaticValuePtr> members) : members_(std::move(members)) {}
  std::string kind() const override { return "a tuple"; }
  ir::Value* value(Emission&, const Range&) override;
  std::vector<StaticValuePtr> parts(Emission&, const Range&, std::optional<size_t>) override {
    return members_;
  }
  StaticValuePtr iterable(Emission&, const Range&) override { return shared_from_this(); }
  std::optional<int64_t> static_length() const override {
    return static_cast<int64_t>(members_.size());
  }
  StaticValuePtr item(Emission&, const Range&, ir::Value*, const TypePtr&) override;

 private:
  std::vector<StaticValuePtr> members_;
};

/// `zip` and `enumerate`: several iterables advanced together.
class IterableTree final : public StaticValue {
 public:
  std::string kind() const override { return "a joint iteration"; }
  void add(const Range&, StaticValuePtr child);
  StaticValuePtr iterable(Emission&, const Range&) override { return shared_from_this(); }
  std::optional<int64_t> static_length() const override { return static_length_; }
  ir::Value* length(Emission&, const Range&) override;
  StaticValuePtr item(Emission&, const Range&, ir::Value*, const TypePtr&) override;

 private:
  void collect_lengths(Emission&, const Range&, std::vector<ir::Value*>& out);

  std::vector<StaticValuePtr> children_;
  std::optional<int64_t> static_length_;
};

}  // namespace assay::script::detail
