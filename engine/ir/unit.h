#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/type.h"
#include "engine/ir/function.h"

namespace assay::ir {

/// A compilation unit: what qualified names mean. Objects and types hold names; the unit resolves
/// them to functions and types. Not thread-safe while names are being defined.
class Unit {
 public:
  Unit() = default;
  Unit(const Unit&) = delete;
  ~Unit();

  /// Defines the name if it can, by calling define_* on the unit. Called once for each name that is
  /// looked up and unknown.
  using Resolver = std::function<void(Unit& unit, const std::string& qualified_name)>;
  void set_resolver(Resolver resolver) { resolver_ = std::move(resolver); }

  /// Input error if the name is taken.
  Function& define_function(std::string qualified_name, std::shared_ptr<Graph> graph);
  Function& define_function(std::string qualified_name, Function::Definer definer);
  /// Forgets the function; pointers to it die.
  void remove_function(const std::string& qualified_name);

  /// Null if unknown.
  Function* find_function(const std::string& qualified_name);
  /// Input error if unknown.
  Function& function(const std::string& qualified_name);
  /// A method of a class; null if the class has none of this name.
  Function* find_method(const core::ClassType& type, std::string_view method);
  /// Input error that names class and method if absent.
  Function& method(const core::ClassType& type, std::string_view method);

  /// Classes (modules among them), interfaces, enums and named tuples. Input error if the name is
  /// taken by another type.
  void define_class(core::ClassTypePtr type);
  void define_type(core::TypePtr type);
  /// Null if unknown.
  core::TypePtr find_type(const std::string& qualified_name);
  /// Null if unknown or no class. The one handle through which a class can still be changed.
  core::ClassTypePtr find_class(const std::string& qualified_name);
  /// Forgets classes with their methods, which nothing else may refer to any more.
  void forget_classes(const std::vector<std::string>& names);

  /// The signature of an interface's method, `self` first.
  void define_interface_method(const std::string& interface_name, const std::string& method,
                               ops::Schema schema);
  /// Null if absent.
  const ops::Schema* find_interface_method(const std::string& interface_name,
                                           const std::string& method) const;

  /// Everything defined so far, in order of definition.
  const std::vector<std::unique_ptr<Function>>& functions() const { return functions_; }
  const std::vector<core::TypePtr>& types() const { return types_; }

  /// `base` if it is free, else `base` with a mangled part, as PyTorch makes names unique
  /// (`__torch__.___torch_mangle_0.Net`).
  std::string unique_name(const std::string& base);

 private:
  void resolve(const std::string& qualified_name);
  Function& adopt(std::unique_ptr<Function> function);

  Resolver resolver_;
  std::unordered_map<std::string, bool> asked_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::unordered_map<std::string, Function*> function_names_;
  std::vector<core::TypePtr> types_;
  std::unordered_map<std::string, core::TypePtr> type_names_;
  std::unordered_map<std::string, core::ClassTypePtr> classes_;
  std::unordered_map<std::string, ops::Schema> interface_methods_;
  size_t mangle_ = 0;
};

}  // namespace assay::ir
