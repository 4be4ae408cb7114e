#pragma once

#include <memory>
#include <string>

#include "engine/interp/code.h"
#include "engine/ir/graph.h"

namespace assay::interp {

struct LowerOptions {
  /// Scalar arithmetic and list access become instructions. Without, every operator goes through
  /// the dispatcher, so that handlers hear of it.
  bool scalar_instructions = true;
};

/// Compiles a valid graph (ir::verify). Input error if it does not have the form that a node's kind
/// demands; operators that the catalog does not have raise when they are reached.
/// `version` is kept in the code (Code::version).
std::shared_ptr<const Code> lower(const ir::Graph& graph, const std::string& name,
                                  const LowerOptions& options = {}, uint64_t version = 0);

}  // namespace assay::interp
