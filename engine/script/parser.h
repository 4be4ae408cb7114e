#pragma once

#include <cstdint>
#include <memory>

#include "engine/script/ast.h"

namespace assay::script {

/// Which of PyTorch's two readers of source to follow. They differ in what some ranges and numbers
/// of values are: `text` reads archives and texts of TorchScript, `python` the source of Python
/// functions.
enum class Reader : uint8_t { text, python };

/// Parses a whole source (functions, classes, assignments). Input error with a caret where the text
/// does not follow the grammar in ast.h, or nests deeper than `max_tree_depth`.
Block parse_module(const std::shared_ptr<const base::Source>& source, Reader reader = Reader::text);

/// Parses a source that is one expression, such as a type tag.
ExprPtr parse_expression(const std::shared_ptr<const base::Source>& source);

}  // namespace assay::script
