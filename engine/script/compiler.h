#pragma once

#include <memory>
#include <string>

#include "engine/base/source_range.h"
#include "engine/ir/unit.h"

namespace assay::script {

/// Compiles a source of functions and classes, written as TorchScript (torch, math and typing are
/// known without an import). Function `f` becomes `__torch__.f` in the unit, class `C` becomes
/// `__torch__.C`. Everything is compiled before this returns. Input error with a caret where the
/// source is wrong.
void compile_source(ir::Unit& unit, const std::shared_ptr<const base::Source>& source);

/// As above, for a text without a file.
void compile_source(ir::Unit& unit, const std::string& text);

}  // namespace assay::script
