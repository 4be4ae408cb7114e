#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::ir {

/// How many dimensions a tensor has; nothing where that is not known.
using Rank = std::optional<int64_t>;

/// What is known of a tensor before the graph runs.
struct Shape {
  std::vector<std::optional<int64_t>> sizes;  ///< One per dimension.
  std::optional<core::DType> dtype;
};

/// Ranks, sizes and element types of a graph's tensors, from running the operators' own rules on
/// tensors without memory. What is not known of an argument (a size, a number, an element type)
/// takes several stand-ins in turn, one by one and together; what the rule says for all of them
/// that it accepts is taken for known.
///
/// Ranks may be relied on: what decides a rank are element counts such as one, which are among the
/// stand-ins. A size counts as known where it is the same for stand-ins of very different size; an
/// operator that bounds a size far above them would deceive that, so no pass may turn a size into a
/// constant. Stale after the graph is edited.
class Shapes {
 public:
  /// `inputs`: the ranks of the graph's inputs; nothing for what is no tensor or not known.
  Shapes(const Graph& graph, std::span<const Rank> inputs);

  /// Null where not even the rank is known.
  const Shape* of(const Value* value) const;
  Rank rank(const Value* value) const;

 private:
  friend class Trial;
  /// Sizes and other integers that the graph computes: one for an int, one each for a list.
  using Integers = std::vector<std::optional<int64_t>>;

  void block(const Block& block);
  void constant(const Value* value);
  void node(const Node& node);
  void branch(const Node& node);

  std::unordered_map<const Value*, Shape> shapes_;
  std::unordered_map<const Value*, Integers> integers_;
  int64_t runs_left_;
};

}  // namespace assay::ir
