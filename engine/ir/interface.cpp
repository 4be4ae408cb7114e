#include "engine/ir/interface.h"

#include <fmt/core.h>

namespace assay::ir {
namespace {

/// Parameters may take more than the interface's, results may be less; `self` is the class's own.
bool fits(const ops::Schema& method, const ops::Schema& wanted) {
  if (method.arguments.size() != wanted.arguments.size()) return false;
  for (size_t i = 1; i < wanted.arguments.size(); ++i) {
    if (method.arguments[i].name != wanted.arguments[i].name) return false;
    if (!core::is_subtype(wanted.arguments[i].type, method.arguments[i].type)) return false;
  }
  if (method.returns.size() != wanted.returns.size()) return false;
  for (size_t i = 0; i < wanted.returns.size(); ++i) {
    if (!core::is_subtype(method.returns[i].type, wanted.returns[i].type)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> why_not_implemented(Unit& unit, const core::ClassType& type,
                                               const core::InterfaceType& interface) {
  if (interface.is_module() && !type.is_module()) {
    return fmt::format(
        "{} is no module, and only a ScriptModule class can be subtype of module interface {}",
        type.name(), interface.name());
  }
  for (const std::string& name : interface.methods) {
    Function* method = unit.find_method(type, name);
    if (!method || !type.has_method(name)) {
      return fmt::format(
          "{} is not compatible with interface {}: it has no compiled method '{}' (does not have "
          "method, or "
          "nothing called it; torch.jit.export compiles it)",
          type.name(), interface.name(), name);
    }
    const ops::Schema* wanted = unit.find_interface_method(interface.name(), name);
    bool known = method->has_schema() || method->is_defined();
    if (!wanted || !known || fits(method->schema(), *wanted)) continue;
    return fmt::format(
        "{} is not compatible with interface {}: its method is {}, where {} is wanted", type.name(),
        interface.name(), method->schema().str(), wanted->str());
  }
  return std::nullopt;
}

}  // namespace assay::ir
