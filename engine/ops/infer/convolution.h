#pragma once

#include "engine/base/checked.h"
#include "engine/core/tensor.h"
#include "engine/ops/infer/pooling.h"
#include "engine/ops/rule.h"

namespace assay::ops {

class Call;

namespace infer {

/// The arguments of any convolution operator, in one form. Spatial lists have one entry per spatial
/// dimension (weight.dim() - 2 of them).
struct Convolution {
  core::Tensor input;  ///< (batch, channels, spatial...), also where the call's has no batch.
  core::Tensor weight;
  core::Tensor scale;  ///< Of assay::convolution; undefined if there is none.
  core::Tensor bias;   ///< Undefined if there is none.
  core::Dims stride;
  core::Dims padding;      ///< Zeros before each spatial dimension,
  core::Dims padding_end;  ///< and after it (they differ for padding="same" only).
  core::Dims dilation;
  core::Dims output_padding;
  int64_t groups = 1;
  bool transposed = false;
  bool batched = true;

  size_t spatial() const { return stride.size(); }
  int64_t out_channels() const {
    return transposed ? base::checked_mul(weight.size(1), groups) : weight.size(0);
  }
  /// How many positions the i-th spatial dimension has with its padding, and a window spans.
  int64_t padded(size_t i) const;
  int64_t window(size_t i) const;
  /// (batch, channels, spatial...) of the result.
  core::Dims out_sizes() const;
  /// The result's view with a batch dimension.
  core::Tensor batched_view(const core::Tensor& out) const;
};

/// Reads a call of aten::convolution, _convolution, convNd (also with padding given by name),
/// conv_transposeNd. Raises PyTorch's errors where sizes and arguments do not fit.
Convolution convolution_of(const Call& call);

/// Reads a call of assay::convolution: padding on both sides, not transposed, with a batch.
Convolution fused_convolution_of(const Call& call);

/// Whether the result is channels-last: of two-dimensional ones, where input or weight is.
bool keeps_channels_last(const Convolution& conv);

/// Result of a convolution, laid out as keeps_channels_last says.
extern const Rule convolution;
/// As convolution, for operators of any number of dimensions: they take batches only, the others
/// single images, too.
extern const Rule convolution_of_batches;
/// assay::convolution: as convolution, channels-last if asked for. The residual is added as
/// aten::add does, which lays the sum out as the summand that is first, the scale (float64, for
/// real weights) one factor per channel of it.
extern const Rule fused_convolution;
/// assay::scale_channels: as the input, channels-last where it is.
extern const Rule scale_channels;
/// assay::row_major: the same elements, row-major.
extern const Rule row_major;

}  // namespace infer
}  // namespace assay::ops
