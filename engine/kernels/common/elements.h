#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/deadline.h"
#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

namespace assay::kernels::common {

/// Copies every element of `from`, broadcast to `to`'s shape and cast to its type. The tensors must
/// not share memory.
void copy_elements(const core::Tensor& to, const core::Tensor& from);

/// Sets every element to the number.
void fill_elements(const core::Tensor& to, const core::Scalar& number);

/// Offsets, in elements, of all positions of a strided shape in row-major order.
std::vector<int64_t> element_offsets(core::DimSpan sizes, core::DimSpan strides);

/// Calls `visit` with the operands' offsets, in elements, at every index of a shape, in row-major
/// order.
template <size_t K, typename Visit>
void for_each_offset(core::DimSpan sizes, const std::array<core::Dims, K>& strides, Visit visit) {
  int64_t count = core::numel(sizes);
  core::Dims index(sizes.size(), 0);
  std::array<int64_t, K> at{};
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < count; ++i) {
    deadline.tick();
    visit(at);
    for (size_t d = sizes.size(); d-- > 0;) {
      bool wraps = ++index[d] == sizes[d];
      for (size_t k = 0; k < K; ++k) at[k] += strides[k][d] * (wraps ? 1 - sizes[d] : 1);
      if (!wraps) break;
      index[d] = 0;
    }
  }
}

/// The tensor itself if it is row-major, else a row-major copy.
core::Tensor packed(const core::Tensor& t);

/// The tensor as another element type, row-major: itself where nothing changes.
core::Tensor packed_as(const core::Tensor& t, core::DType dtype);

/// Whether the two may reach a common byte.
bool may_overlap(const core::Tensor& a, const core::Tensor& b);

}  // namespace assay::kernels::common
