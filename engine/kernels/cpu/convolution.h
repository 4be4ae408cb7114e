#pragma once

#include <limits>

#include "engine/ops/infer/convolution.h"

namespace assay::kernels::cpu {

/// What is done to each element of a convolution's result before it is stored: the residual is
/// added, then it is clamped. relu clamps to [0, infinity).
struct Epilogue {
  core::Tensor residual;  ///< Of the result's shape; undefined for none.
  bool clamps = false;
  float low = 0;
  float high = std::numeric_limits<float>::infinity();
};

/// Whether oneDNN has this convolution. `out` has a batch dimension (Convolution::batched_view).
bool can_convolve(const ops::infer::Convolution& conv, const core::Tensor& out,
                  const Epilogue& epilogue);
/// Runs it; can_convolve must hold.
void convolve(const ops::infer::Convolution& conv, const core::Tensor& out,
              const Epilogue& epilogue);

}  // namespace assay::kernels::cpu
