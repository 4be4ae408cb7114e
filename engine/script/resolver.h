#pragma once

#include <memory>
#include <string>

#include "engine/base/source_range.h"
#include "engine/core/type.h"

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
};

}  // namespace assay::script
