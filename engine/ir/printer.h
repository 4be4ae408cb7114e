#pragma once

#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/ir/graph.h"

namespace assay::ir {

struct PrintOptions {
  /// `# file.py:12:8` behind each node, of the original source.
  bool source = true;
  /// `, scope: __module.conv` behind traced nodes.
  bool scopes = true;
  /// If given, every tensor constant prints as `<Tensor>` and is appended here, so that the parser
  /// gets back exactly what was printed (ParseOptions::tensors).
  std::vector<core::Tensor>* tensors = nullptr;
};

/// The graph in PyTorch's text (`print(module.graph)`), with a newline at the end.
std::string print(const Graph& graph, const PrintOptions& options = {});
/// One node with its blocks, as in the graph's text but not indented.
std::string print(const Node& node, const PrintOptions& options = {});

}  // namespace assay::ir
