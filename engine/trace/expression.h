#pragma once

#include <string>

#include "engine/ir/value.h"

namespace assay::trace {

/// What the program calls the value; several may be called alike.
std::string program_name(const ir::Value* value);
/// What the value is as an expression over the graph's inputs, in Python's form: "x.size(0) // 2".
/// An input that shares its name with another one is told by its position among all, "input_2".
/// What nests too deeply to be of use is left out ("...").
std::string expression_of(const ir::Value* value);
/// The same of a tensor's size: "x.size(0)", also of what was computed from x element by element.
std::string expression_of_size(const ir::Value* tensor, const std::string& dim);

}  // namespace assay::trace
