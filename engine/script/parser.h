#pragma once

#include <memory>

#include "engine/script/ast.h"

namespace assay::script {

/// Parses a whole source (functions, classes, assignments). Input error with a caret where the text
/// does not follow the grammar in ast.h, or nests deeper than `max_tree_depth`.
Block parse_module(const std::shared_ptr<const base::Source>& source);

/// Parses a source that is one expression, such as a type tag.
ExprPtr parse_expression(const std::shared_ptr<const base::Source>& source);

}  // namespace assay::script
