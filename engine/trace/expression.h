#pragma once

#include <string>

#include "engine/ir/value.h"

namespace assay::trace {

/// What the value is as an expression over the graph's inputs, in Python's form: "x.size(0) // 2".
/// What nests too deeply to be of use is left out ("...").
std::string expression_of(const ir::Value* value);

}  // namespace assay::trace
