#pragma once

#include "engine/ops/infer/convolution.h"

namespace assay::kernels::cpu {

/// Runs a convolution by large weights of which the result has a few positions only, as the last
/// layers of a network have for a small image. oneDNN's kernels for images read the weights once
/// for a few of the positions at a time; here each element of the window is a product of matrices,
/// over the positions that it meets inside the input, so that the weights are read once.
///
/// False, and nothing is done, where it is none of those: where the result has more than 16
/// positions (over the whole batch), the weights have less than 2^18 elements or the input more
/// than these, with groups, transposed, or where oneDNN packs the weights in another way.
/// `out` has a batch dimension (Convolution::batched_view); all tensors are float32.
bool convolve_few_positions(const ops::infer::Convolution& conv, const core::Tensor& out);

}  // namespace assay::kernels::cpu
