#pragma once

#include <memory>
#include <string>

#include "engine/core/value.h"
#include "engine/ir/graph.h"
#include "engine/ir/unit.h"

namespace assay::trace {

/// What only the graph of a trace under way has.
struct ScopeSymbols {
  /// A node whose one block holds what was recorded while a submodule ran.
  base::Symbol block{"prim::TracedModuleForward"};
  /// A node that stands for an attribute of a module until it is known where it is read.
  base::Symbol attribute{"prim::TracedAttr"};
  /// An attribute of both nodes: the path of the submodule, or of the attribute.
  base::Symbol path{"scope"};
};
const ScopeSymbols& scope_symbols();

/// The path of the module that is traced.
inline constexpr const char* root_path = "__module";

/// Makes a method of each scope block: `forward` of the submodule's class (`forward1`, ... where it
/// ran more than once), in the unit. What a block reads from outside becomes a parameter, what is
/// read outside of it a result, and attributes are read from `self`. Without `self` (a function was
/// traced) the blocks are put in line. Afterwards there are no more scope blocks and traced
/// attributes.
void scopes_to_methods(const std::shared_ptr<ir::Graph>& graph, ir::Unit& unit,
                       const core::ObjectRef& self);

}  // namespace assay::trace
