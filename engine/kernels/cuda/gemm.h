#pragma once

#include "engine/kernels/cuda/product_plan.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// One product, or a batch of them: out = alpha first second + beta out.
struct Gemm {
  core::DType dtype = core::DType::float32;  ///< Of all; a floating or complex one.
  ProductPlan plan;                          ///< No size is 0.
  const std::byte* first = nullptr;
  const std::byte* second = nullptr;
  std::byte* out = nullptr;
  core::Scalar alpha = 1.0;
  core::Scalar beta = 0.0;  ///< 0: what is in `out` is not read.
  /// A batch: steps in elements from one product to the next.
  int64_t batches = 1;
  int64_t first_step = 0, second_step = 0, out_step = 0;
  /// Where the matrices of a batch lie, if no step leads from one to the next: addresses in the
  /// device's memory, `batches` of the first matrices, then of the second ones and of the results.
  const std::byte* const* addresses = nullptr;
};

/// Forms it on the call's device: sums are kept in float32 for 16-bit types, never in less than the
/// elements' own type.
void run_gemm(const ops::Call& call, const Gemm& gemm);

/// out = first second, and in each column the bias added, which has as many elements as the result
/// has rows; no batch. False where the library cannot do that in one go, and has done nothing.
bool run_gemm_with_bias(const ops::Call& call, const Gemm& gemm, const std::byte* bias);

}  // namespace assay::kernels::cuda
