#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/script/static_value.h"

namespace assay::script {

/// A module of the program around the source that is compiled: what its class does not say.
class OutsideModule {
 public:
  using Emission = detail::Emission;
  /// What iterating over the module and indexing it mean.
  enum class Kind : uint8_t { plain, module_list, module_dict, parameter_list, parameter_dict };
  using Submodules = std::vector<std::pair<std::string, std::shared_ptr<OutsideModule>>>;

  virtual ~OutsideModule() = default;
  virtual Kind kind() const = 0;
  /// By attribute, in order.
  virtual const Submodules& submodules() const = 0;
  /// What `self.name` means where `name` is no attribute, constant or compiled method of the class.
  /// A method that was not asked for before may be compiled now and become one. Null if unknown.
  virtual StaticValuePtr member(Emission& emission, const base::SourceRange& range, ir::Value* self,
                                const std::string& name) = 0;
  /// Why a name is not there, for a message; empty where there is nothing to say.
  virtual std::string why_missing(const std::string& name) const = 0;
};

}  // namespace assay::script

namespace assay::script::detail {

/// A value of the graph that is a module of the program outside.
class ModuleValue final : public StaticValue {
 public:
  ModuleValue(ir::Value* self, std::shared_ptr<OutsideModule> module)
      : self_(self), module_(std::move(module)) {}
  std::string kind() const override;
  ir::Value* value(Emission&, const Range&) override { return self_; }
  StaticValuePtr attribute(Emission&, const Range&, const std::string&) override;
  bool has_attribute(Emission&, const Range&, const std::string&) override;
  void set_attribute(Emission&, const Range&, const std::string&, ir::Value*) override;
  std::vector<StaticValuePtr> parts(Emission&, const Range&, std::optional<size_t>) override;
  /// Runs the module's hooks around `forward`.
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;
  StaticValuePtr iterable(Emission&, const Range&) override;
  StaticValuePtr item(Emission&, const Range&, ir::Value*, const TypePtr&) override;

 private:
  /// Names (constants of the graph) and what they name.
  struct Named {
    std::vector<StaticValuePtr> names;
    std::vector<StaticValuePtr> values;
    StaticValuePtr pairs(const Range&) const;
  };
  StaticValuePtr find(Emission&, const Range&, const std::string&);
  StaticValuePtr collection(Emission&, const Range&, const std::string&);
  Named children(Emission&, const Range&) const;
  Named tensors(Emission&, const Range&, core::ClassType::Role) const;
  void descend(Emission&, const Range&, const std::string& path, Named& out) const;
  const core::ClassType* type() const { return core::as_class(self_->type()); }

  ir::Value* self_;
  std::shared_ptr<OutsideModule> module_;
};

/// Several functions of one name: the first whose signature fits is called, those that fit without
/// conversions before the others.
class OverloadedValue final : public StaticValue {
 public:
  OverloadedValue(std::string name, std::vector<std::shared_ptr<Callable>> choices)
      : name_(std::move(name)), choices_(std::move(choices)) {}
  std::string kind() const override { return "the overloaded function " + name_; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  std::string name_;
  std::vector<std::shared_ptr<Callable>> choices_;
};

/// A function of the program outside that is called when the compiled program runs.
class OutsideFunction final : public StaticValue {
 public:
  /// `name` is shown in graphs; `key` tells which function it is.
  OutsideFunction(std::string name, std::string key, ops::Schema schema)
      : name_(std::move(name)), key_(std::move(key)), schema_(std::move(schema)) {}
  std::string kind() const override { return "the Python function " + name_; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  std::string name_;
  std::string key_;
  ops::Schema schema_;
};

/// A call without arguments whose result is known now: `self.blocks.items()`.
class KnownCall final : public StaticValue {
 public:
  KnownCall(std::string name, StaticValuePtr result)
      : name_(std::move(name)), result_(std::move(result)) {}
  std::string kind() const override { return "the method " + name_; }
  StaticValuePtr call(Emission&, const Range&, const Actuals&, const Actuals&) override;

 private:
  std::string name_;
  StaticValuePtr result_;
};

/// Something of the program outside that has no meaning in a compiled one.
class OpaqueValue final : public StaticValue {
 public:
  explicit OpaqueValue(std::string what) : what_(std::move(what)) {}
  std::string kind() const override { return what_; }
  ir::Value* value(Emission&, const Range&) override;

 private:
  std::string what_;
};

}  // namespace assay::script::detail
