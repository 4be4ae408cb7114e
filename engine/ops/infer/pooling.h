#pragma once

#include <optional>

#include "engine/core/tensor.h"
#include "engine/ops/rule.h"

namespace assay::ops {

class Call;

namespace infer {

/// The arguments of a pooling operator with windows of one size. The lists have one entry per
/// spatial dimension.
struct Pooling {
  core::Tensor input;
  core::Dims kernel;
  core::Dims stride;
  core::Dims padding;
  core::Dims dilation;
  bool ceil_mode = false;
  bool include_padding = true;
  std::optional<int64_t> divisor;

  size_t spatial() const { return kernel.size(); }
  /// Shape of the result: that of the input with pooled spatial dimensions.
  core::Dims out_sizes() const;
};

/// Reads a call of max_poolNd, max_poolNd_with_indices or avg_poolNd; PyTorch's errors.
Pooling pooling_of(const Call& call);

/// The shape of a result with the last dimensions replaced.
core::Dims with_spatial(core::DimSpan sizes, core::DimSpan spatial);

extern const Rule pooling;               ///< One result.
extern const Rule pooling_to_rows;       ///< max_pool1d: row-major, however the input is laid out.
extern const Rule pooling_with_indices;  ///< The result and the indices that were taken (int64).
extern const Rule adaptive_avg_pool;     ///< output_size is the second argument.
extern const Rule adaptive_max_pool;     ///< The result and the indices.
extern const Rule fractional_max_pool;   ///< Windows of a fixed size at random indices; indices.
extern const Rule max_unpool;            ///< output_size is the third argument.

}  // namespace infer
}  // namespace assay::ops
