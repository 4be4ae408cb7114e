#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// Which elements of a matrix are taken; others become 0.
enum class Part {
  lower,       ///< With the diagonal.
  upper,       ///< With the diagonal.
  unit_lower,  ///< Below the diagonal, which becomes 1.
};

/// to = a part of from. Matrices of either may be larger: the first rows and columns are taken. The
/// two may be the same.
void take_part(const ops::Call& call, const core::Tensor& from, Part part, const core::Tensor& to);

/// Makes matrices Hermitian, of which one triangle is there.
void mirror_triangle(const ops::Call& call, const core::Tensor& matrices, bool upper);

/// Row-major pivots, of a batch of as many rows; those outside of 1 to `rows` are reported.
core::Tensor checked_pivots(const ops::Call& call, const core::Tensor& pivots, int64_t rows);

/// The permutations that pivots stand for, as matrices: P L U is what was factorized.
void fill_permutations(const ops::Call& call, const core::Tensor& pivots,
                       const core::Tensor& matrices);

/// Whether no element is infinite or NaN. Waits for the device.
bool all_finite(const ops::Call& call, const core::Tensor& t);

/// Addresses in the device's memory: `first`, and each next one `step` bytes behind.
core::Tensor spaced_addresses(const ops::Call& call, std::byte* first, int64_t count, int64_t step);

}  // namespace assay::kernels::cuda
