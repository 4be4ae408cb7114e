#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

// What constants and equal values decide of branches and loops. Each function changes one node and
// is true if it did.

/// Puts the branch that a constant condition chooses in the place of a `prim::If`, which goes.
bool take_branch(Node* branch);

/// Replaces the outputs of a `prim::Loop` that constants say never turns by what goes into it; the
/// loop goes.
bool skip_loop(Node* loop);

/// Outputs of a `prim::If` that are the same value, or equal constants, in both branches become
/// that.
bool drop_equal_outputs(Node* branch);

/// Variables of a `prim::Loop` that no round changes become the values from before the loop.
bool drop_unchanged_variables(Node* loop);

/// Removes the i-th variable of a `prim::Loop`: input, parameter, result and output. Nobody reads
/// the output, and the parameter only its own result, which goes.
void remove_variable(Node* loop, size_t i);

/// Removes the i-th output of a `prim::If`, which nobody reads, and what the branches give for it.
void remove_output(Node* branch, size_t i);

}  // namespace assay::ir
