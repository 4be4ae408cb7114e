#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/base/source_range.h"
#include "engine/core/type.h"
#include "engine/core/value.h"
#include "engine/script/ast.h"

namespace assay::ir {
class Value;
}

namespace assay::script {

namespace detail {
class Emission;
}
class StaticValue;

/// What names mean that a function does not define itself. The compiler asks in this order: local
/// variables, the language's built-in functions, then the resolver.
class Resolver {
 public:
  virtual ~Resolver() = default;
  /// A value, function, class or namespace; null if unknown. May emit constants.
  virtual std::shared_ptr<StaticValue> resolve_value(const std::string& name,
                                                     detail::Emission& emission,
                                                     const base::SourceRange& range) = 0;
  /// A named type ("__torch__.Net", or "Net" where the source defines it); null if unknown.
  virtual core::TypePtr resolve_type(const std::string& name, const base::SourceRange& range) = 0;

  /// What the first parameter of a method means; null for just the value that it is.
  virtual std::shared_ptr<StaticValue> self_value(ir::Value*) { return nullptr; }
  /// The default value of a parameter, where the program outside has computed it already.
  virtual std::optional<core::Value> default_value(const FunctionDef&, const Param&,
                                                   const core::TypePtr&) {
    return std::nullopt;
  }
};

}  // namespace assay::script
