#pragma once

#include "engine/ir/function.h"
#include "engine/ir/unit.h"
#include "engine/script/ast.h"
#include "engine/script/resolver.h"

namespace assay::script {

/// Compiles a definition into a graph and sets graph and signature of `function`. For a method,
/// `self` is the type of its first parameter; null for a plain function. Input error with a caret
/// where the source is wrong, `unsupported` where it uses what assay does not know.
void compile(const FunctionDef& def, Resolver& resolver, ir::Unit& unit, ir::Function& function,
             const core::TypePtr& self = nullptr);

/// The value of an expression that needs no arguments. Input error if it cannot be computed while
/// compiling. `type` is the expected type, or null.
core::Value compute_constant(const Expr& expr, const core::TypePtr& type, Resolver& resolver,
                             ir::Unit& unit);

}  // namespace assay::script
