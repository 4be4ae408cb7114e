#pragma once

#include "engine/ir/graph.h"

namespace assay::optimize {

/// Folds what follows a convolution into it: batch normalization with constant statistics into
/// its scale and bias; then relu, relu6, hardtanh or a clamp with constant bounds, and the addition
/// of another value before that, into one `assay::convolution`. A batch normalization that stays
/// becomes `assay::scale_channels`, with a following clamp.
///
/// For graphs without writes (make_functional).
void fuse_convolutions(ir::Graph& graph);

}  // namespace assay::optimize
