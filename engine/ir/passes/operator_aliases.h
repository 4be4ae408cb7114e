#pragma once

#include "engine/ir/block.h"

namespace assay::ir {

/// Calls of tensor operators by their other names get the standard one: aten::absolute becomes
/// aten::abs, and so on, at any depth.
void rename_aliases(Block* block);
/// The same of one call, which goes; other nodes stay as they are.
void rename_alias(Node* node);

/// Puts a call of the operator of this name, with the same inputs, in the place of the node, which
/// goes. Gives the new node.
Node* rename_call(Node* node, base::Symbol name);

}  // namespace assay::ir
