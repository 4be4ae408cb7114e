#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Removes what types tell of tensors: element types, sizes, strides, devices.
void erase_shapes(Graph& graph);

/// Removes what only describes: names of values, and shapes. Source ranges and scopes stay, for
/// messages; leave them out when printing.
void erase_details(Graph& graph);

/// Pools constants (pool_constants.h) and makes equal `prim::GetAttr` reads of one object in one
/// block one, unless the graph sets attributes or calls functions.
void share_reads(Graph& graph);

/// Puts constants to the start, in the order of their first use, and each `prim::GetAttr` that no
/// write can overtake before its first reader.
void order_reads(Graph& graph);

/// A copy on which the canonical passes were run: graphs that differ only in names, sizes told by
/// types, and positions of constants and attribute reads print the same (without source and
/// scopes).
std::shared_ptr<Graph> normalized(const Graph& graph);

}  // namespace assay::ir
