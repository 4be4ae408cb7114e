#include "engine/ir/unit.h"

#include <algorithm>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/base/stack.h"
#include "engine/ir/native_type.h"
#include "engine/ops/native_class.h"

namespace assay::ir {

Unit::~Unit() {
  functions_.clear();
  for (auto& [name, type] : classes_) type->release_types();
}

void Unit::resolve(const std::string& qualified_name) {
  if (asked_[qualified_name]) return;
  base::check_stack("a definition that needs others");
  asked_[qualified_name] = true;
  if (ops::is_native_name(qualified_name)) {
    std::string class_name = ops::native_class_of(qualified_name);
    if (!type_names_.count(class_name)) define_native_type(*this, class_name);
    return;
  }
  if (!resolver_) return;
  resolver_(*this, qualified_name);
}

Function& Unit::define_function(std::string qualified_name, std::shared_ptr<Graph> graph) {
  return adopt(std::make_unique<Function>(std::move(qualified_name), std::move(graph)));
}

Function& Unit::define_function(std::string qualified_name, Function::Definer definer) {
  return adopt(std::make_unique<Function>(std::move(qualified_name), std::move(definer)));
}

Function& Unit::adopt(std::unique_ptr<Function> function) {
  auto [place, is_new] = function_names_.try_emplace(function->qualified_name(), function.get());
  base::check(is_new, "function '", function->qualified_name(), "' is defined twice");
  functions_.push_back(std::move(function));
  return *place->second;
}

void Unit::remove_function(const std::string& qualified_name) {
  auto found = function_names_.find(qualified_name);
  if (found == function_names_.end()) return;
  const Function* gone = found->second;
  function_names_.erase(found);
  std::erase_if(functions_, [&](const auto& f) { return f.get() == gone; });
}

Function* Unit::find_function(const std::string& qualified_name) {
  auto found = function_names_.find(qualified_name);
  if (found == function_names_.end()) {
    resolve(qualified_name);
    found = function_names_.find(qualified_name);
  }
  return found == function_names_.end() ? nullptr : found->second;
}

Function& Unit::function(const std::string& qualified_name) {
  Function* found = find_function(qualified_name);
  base::check(found != nullptr, "unknown function '", qualified_name, "'");
  return *found;
}

Function* Unit::find_method(const core::ClassType& type, std::string_view method) {
  return find_function(type.qualified_method(method));
}

Function& Unit::method(const core::ClassType& type, std::string_view method) {
  Function* found = find_method(type, method);
  base::check(found != nullptr, "Method '", method, "' is not defined on '", type.name(), "'");
  return *found;
}

void Unit::define_class(core::ClassTypePtr type) {
  define_type(type);
  classes_[type->name()] = std::move(type);
}

void Unit::define_type(core::TypePtr type) {
  auto [place, is_new] = type_names_.try_emplace(type->name(), type);
  base::check(is_new || place->second == type, "class '", type->name(), "' is defined twice");
  if (is_new) types_.push_back(std::move(type));
}

core::TypePtr Unit::find_type(const std::string& qualified_name) {
  auto found = type_names_.find(qualified_name);
  if (found == type_names_.end()) {
    resolve(qualified_name);
    found = type_names_.find(qualified_name);
  }
  return found == type_names_.end() ? nullptr : found->second;
}

core::ClassTypePtr Unit::find_class(const std::string& qualified_name) {
  if (!find_type(qualified_name)) return nullptr;
  auto found = classes_.find(qualified_name);
  return found == classes_.end() ? nullptr : found->second;
}

void Unit::forget_classes(const std::vector<std::string>& names) {
  std::unordered_set<const Function*> methods;
  std::unordered_set<const core::Type*> types;
  for (const std::string& name : names) {
    auto found = classes_.find(name);
    if (found == classes_.end()) continue;
    for (const std::string& method : found->second->methods()) {
      auto function = function_names_.find(found->second->qualified_method(method));
      if (function == function_names_.end()) continue;
      methods.insert(function->second);
      function_names_.erase(function);
    }
    types.insert(found->second.get());
    type_names_.erase(name);
    classes_.erase(found);
  }
  std::erase_if(functions_, [&](const auto& f) { return methods.count(f.get()) != 0; });
  std::erase_if(types_, [&](const auto& t) { return types.count(t.get()) != 0; });
}

void Unit::define_interface_method(const std::string& interface_name, const std::string& method,
                                   ops::Schema schema) {
  interface_methods_.insert_or_assign(interface_name + "." + method, std::move(schema));
}

const ops::Schema* Unit::find_interface_method(const std::string& interface_name,
                                               const std::string& method) const {
  auto found = interface_methods_.find(interface_name + "." + method);
  return found == interface_methods_.end() ? nullptr : &found->second;
}

std::string Unit::unique_name(const std::string& base) {
  auto taken = [this](const std::string& name) {
    return type_names_.count(name) || function_names_.count(name);
  };
  if (!taken(base)) return base;
  size_t dot = base.rfind('.');
  std::string before = dot == std::string::npos ? "" : base.substr(0, dot + 1);
  std::string last = base.substr(before.size());
  std::string name;
  do {
    name = before + "___torch_mangle_" + std::to_string(mangle_++) + "." + last;
  } while (taken(name));
  return name;
}

}  // namespace assay::ir
