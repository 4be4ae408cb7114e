#pragma once

#include <vector>

#include "engine/core/tensor.h"

namespace assay::ops {

/// How `x[i, :, j]` reads or writes a tensor: PyTorch's advanced indexing with the index tensors
/// already broadcast to one shape. The result's dimensions are those before the indexed
/// ones, then the index tensors' shape, then the rest; where the indexed dimensions are not next
/// to each other, the index tensors' shape comes first.
struct AdvancedIndex {
  core::Tensor self;                  ///< The tensor, with its indexed dimensions side by side.
  size_t first = 0;                   ///< The first of them.
  std::vector<core::Tensor> indices;  ///< One per indexed dimension: int64, of `index_sizes`.
  core::Dims index_sizes;

  /// Shape of the result.
  core::Dims sizes() const;
  /// Strides of a fresh result: laid out as the operands are.
  core::Dims result_strides() const;
  size_t after() const { return first + indices.size(); }
};

/// Whether any of the index tensors is a mask (bool or uint8), whose indices are values.
bool has_mask(const std::vector<core::Tensor>& indices);
/// An int64 index tensor per dimension that the masks cover, in their positions. Reads the masks.
/// Errors: a mask whose shape does not match the tensor's.
std::vector<core::Tensor> expand_masks(const core::Tensor& self,
                                       const std::vector<core::Tensor>& indices);
/// The plan for int64 index tensors; undefined ones leave a dimension as it is. Errors: too many
/// indices, indices of other types, shapes that do not broadcast.
AdvancedIndex plan_index(const core::Tensor& self, const std::vector<core::Tensor>& indices);

/// The positions of a tensor's non-zero elements: int64 of shape (count, dim), column by column in
/// memory as PyTorch has it. Reads the tensor.
core::Tensor nonzero_indices(const core::Tensor& t);

}  // namespace assay::ops
