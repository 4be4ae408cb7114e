#pragma once

#include "engine/ir/graph.h"

namespace assay::optimize {

/// Lets two-dimensional `assay::convolution`s that are reached from the graph's inputs compute
/// channels-last, together with the poolings, sums and elementwise operators between them. Every
/// other reader gets a row-major copy, so that outside the region nothing changes. The inputs must
/// be row-major at run time.
void use_channels_last(ir::Graph& graph);

}  // namespace assay::optimize
