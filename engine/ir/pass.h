#pragma once

#include <string_view>

#include "engine/ir/graph.h"

namespace assay::ir {

/// A step that changes a graph in place. Given a valid graph (ir::verify) it leaves a valid one
/// that computes the same on every input. It may erase and move nodes: pointers to them die.
struct Pass {
  std::string_view name;
  std::string_view purpose;  ///< One sentence.
  void (*run)(Graph& graph);
};

}  // namespace assay::ir
