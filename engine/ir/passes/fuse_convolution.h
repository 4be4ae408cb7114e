#pragma once

#include "engine/ir/graph.h"

namespace assay::ir {

/// Folds what follows a convolution into it: batch normalization with constant statistics into
/// its scale and bias; then relu, relu6, hardtanh or a clamp with constant bounds, and the addition
/// of another value before that, into one `assay::convolution`. A batch normalization that stays
/// becomes `assay::scale_channels`, with a following clamp.
///
/// For graphs without writes (make_functional). The sum of a convolution and a value that
/// broadcasts makes the new node raise: run the old graph then.
void fuse_convolutions(Graph& graph);

/// Lets two-dimensional `assay::convolution`s that are reached from the graph's inputs compute
/// channels-last, together with the poolings, sums and elementwise operators between them. Every
/// other reader gets a row-major copy, so that outside the region nothing changes. The inputs must
/// be row-major at run time.
void use_channels_last(Graph& graph);

}  // namespace assay::ir
