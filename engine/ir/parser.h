#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/ir/graph.h"
#include "engine/ir/type_reader.h"

namespace assay::ir {

struct ParseOptions {
  /// What `__torch__.Net` means; unknown names become classes without members.
  TypeResolver resolve_type = {};
  /// What `<Tensor>` stands for, in order of appearance (PrintOptions::tensors). Without it such a
  /// constant is refused.
  std::vector<core::Tensor> tensors = {};
  /// Looks calls up in the catalog (ir/resolve.h). Calls of operators that are not there stay
  /// unresolved.
  bool resolve_operators = true;
};

/// Reads a graph from PyTorch's text. Source comments and scopes are kept: `# file:12:8` becomes a
/// range of an otherwise empty source. Input error with the place on anything else, such as a value
/// that is used before it is defined.
std::shared_ptr<Graph> parse(std::string_view text, const ParseOptions& options = {});

}  // namespace assay::ir
