#pragma once

#include <functional>
#include <optional>
#include <span>

#include "engine/core/value.h"
#include "engine/ir/shapes.h"

namespace assay::ops {
struct Operator;
}

namespace assay::ir {

/// Runs an operator; nothing where it raises or must not be run.
using Evaluate =
    std::function<std::optional<core::Values>(const ops::Operator&, const core::Values&)>;

struct FoldRules {
  Evaluate evaluate;
  /// Also fold by what static types, ranks and containers in sight tell: comparisons with None,
  /// casts that change nothing, questions about ranks and lengths, operators on lists that nobody
  /// writes to, their items. PyTorch's compiler does not.
  bool by_types = false;
  /// Ranks of the graph's inputs, as far as they are known.
  std::span<const Rank> inputs = {};
};

/// Lets readers of a tuple's parts read what the tuple was made of, if that is in sight: of the
/// outputs of a `prim::TupleUnpack`, or of a `prim::TupleIndex` by a constant. True if there was
/// anything.
bool read_through_tuple(Node* node);

/// Replaces by constants what constants decide: operators on numbers, texts and tuples, the outputs
/// of branches and loops; the branch that a constant chooses takes the place of its `prim::If`,
/// loops that never turn go. True if there was anything. What is left unread is for
/// remove_dead_code.
bool fold_constants(Graph& graph, const FoldRules& rules);

}  // namespace assay::ir
