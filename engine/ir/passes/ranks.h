#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "engine/ir/graph.h"

namespace assay::ir {

using Rank = std::optional<int64_t>;

/// How many dimensions a graph's tensors have, as far as its inputs and constants tell. Stale after
/// the graph is edited.
class Ranks {
 public:
  /// `inputs`: those of the graph's inputs; nothing for what is no tensor or not known.
  Ranks(const Graph& graph, std::span<const Rank> inputs);
  Rank of(const Value* value) const;

 private:
  void block(const Block& block);
  Rank result(const Node& node) const;
  Rank flattened(const Node& node) const;
  Rank joined(const Node& node) const;

  std::unordered_map<const Value*, int64_t> known_;
};

}  // namespace assay::ir
