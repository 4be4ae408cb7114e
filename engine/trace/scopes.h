#pragma once

#include <memory>
#include <string>

#include "engine/core/value.h"
#include "engine/ir/graph.h"
#include "engine/ir/unit.h"

namespace assay::trace {

/// A node whose one block holds what was recorded while a submodule ran; attribute `scope`: its
/// path.
inline constexpr const char* scope_block = "prim::TracedModuleForward";
/// Stands for an attribute of a module until it is known where it is read; attribute `scope`: its
/// path.
inline constexpr const char* traced_attribute = "prim::TracedAttr";
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
