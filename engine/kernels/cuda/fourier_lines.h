#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

enum class Fourier {
  complex,          ///< Complex to complex.
  real_to_complex,  ///< The last dimension's first half, and its middle.
  complex_to_real,  ///< From such a half. What is transformed may be overwritten.
};

/// Fourier transforms along the last `rank` dimensions, 1 to 3 (1 for complex_to_real), without a
/// scale. Both tensors are row-major, of different memory, and have elements.
void run_fourier(const ops::Call& call, Fourier kind, bool forward, const core::Tensor& from,
                 const core::Tensor& to, size_t rank);

}  // namespace assay::kernels::cuda
