#pragma once

#include <vector>

#include "engine/base/symbol.h"
#include "engine/ir/function.h"

namespace assay::script {

/// Functions of the language's own library that are written in the language itself: `2 * tensor`,
/// `tensor.ndim`, `tensor.floordiv`. A call of one is inlined. In the order in which overloads are
/// tried, after those of the catalog; empty for most names.
const std::vector<const ir::Function*>& library_functions(base::Symbol name);

}  // namespace assay::script
