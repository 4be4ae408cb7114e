#pragma once

#include <array>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/common/strided_loop.h"

namespace assay::kernels::cuda {

/// Division of numbers below 2^31 by one divisor: a product and a shift, where the processor's own
/// takes some thirty steps (Granlund and Montgomery, "Division by invariant integers", 1994).
class Divider {
 public:
  Divider() = default;
  explicit Divider(int64_t divisor) : divisor_(divisor) {
    if (divisor >= (int64_t{1} << 31)) return;
    while ((uint64_t{1} << shift_) < static_cast<uint64_t>(divisor)) ++shift_;
    uint64_t power = uint64_t{1} << shift_, d = static_cast<uint64_t>(divisor);
    factor_ = static_cast<uint32_t>(((uint64_t{1} << 32) * (power - d)) / d + 1);
  }

  ASSAY_ANYWHERE int64_t divisor() const { return divisor_; }
  /// n / divisor. `narrow`: n is below 2^31.
  ASSAY_ANYWHERE int64_t divide(int64_t n, bool narrow) const {
    if (!narrow) return n / divisor_;
    auto m = static_cast<uint32_t>(n);
#ifdef __CUDA_ARCH__
    uint32_t high = __umulhi(m, factor_);
#else
    auto high = static_cast<uint32_t>((static_cast<uint64_t>(m) * factor_) >> 32);
#endif
    return (high + m) >> shift_;
  }

 private:
  int64_t divisor_ = 1;
  uint32_t factor_ = 1;
  uint32_t shift_ = 0;
};

/// Offsets of one element in N operands.
template <size_t N>
struct Offsets {
  int64_t of[N];
};

/// How N operands lie under one shape, for device code: where the i-th element is in each. Elements
/// are numbered in the order of common::StridedLoop.
template <size_t N>
struct Layout {
  static constexpr int max_rank = 16;

  int rank = 0;
  bool narrow = true;  ///< Less than 2^31 elements.
  int64_t count = 0;
  Divider sizes[max_rank];       ///< From the innermost dimension on.
  int64_t steps[max_rank][N]{};  ///< In bytes.

  /// Operands are broadcast to the sizes. With `row_major` elements are numbered as dimensions are.
  static Layout of(core::DimSpan shape, const std::array<core::Tensor, N>& operands,
                   bool row_major = false) {
    common::StridedLoop<N> loop(shape, operands, row_major);
    Layout layout;
    layout.count = loop.numel();
    layout.narrow = layout.count < (int64_t{1} << 31);
    if (layout.count == 0) return layout;
    const core::Dims& merged = loop.merged_sizes();
    if (merged.size() > max_rank) {
      base::unsupported("a tensor on a CUDA device whose elements lie along ", merged.size(),
                        " dimensions, more than ", max_rank, "; make it contiguous");
    }
    layout.rank = static_cast<int>(merged.size());
    for (size_t d = 0; d < merged.size(); ++d) {
      size_t inner = merged.size() - 1 - d;
      layout.sizes[d] = Divider(merged[inner]);
      for (size_t k = 0; k < N; ++k) layout.steps[d][k] = loop.merged_steps(k)[inner];
    }
    return layout;
  }

  ASSAY_ANYWHERE Offsets<N> offsets(int64_t i) const {
    Offsets<N> at{};
    for (int d = 0; d + 1 < rank; ++d) {
      int64_t rest = sizes[d].divide(i, narrow);
      int64_t index = i - rest * sizes[d].divisor();
      for (size_t k = 0; k < N; ++k) at.of[k] += index * steps[d][k];
      i = rest;
    }
    if (rank > 0) {
      for (size_t k = 0; k < N; ++k) at.of[k] += i * steps[rank - 1][k];
    }
    return at;
  }

  /// Whether elements of these sizes lie without gaps in every operand, in the same order.
  bool is_flat(const std::array<int64_t, N>& item_sizes) const {
    if (rank == 0) return true;
    if (rank > 1) return false;
    for (size_t k = 0; k < N; ++k) {
      if (steps[0][k] != item_sizes[k]) return false;
    }
    return true;
  }
};

}  // namespace assay::kernels::cuda
