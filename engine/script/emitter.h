#pragma once

#include "engine/ir/function.h"
#include "engine/ir/unit.h"
#include "engine/script/ast.h"
#include "engine/script/cleanup.h"
#include "engine/script/resolver.h"

namespace assay::script {

/// Compiles a definition into a graph and sets graph and signature of `function`. For a method,
/// `self` is the type of its first parameter; null for a plain function. Input error with a caret
/// where the source is wrong, `unsupported` where it uses what assay does not know. `evaluate`
/// computes operators on constants.
void compile(const FunctionDef& def, Resolver& resolver, ir::Unit& unit, ir::Function& function,
             const core::TypePtr& self = nullptr, const Evaluate& evaluate = {});

}  // namespace assay::script
