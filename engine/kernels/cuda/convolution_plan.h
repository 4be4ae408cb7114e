#pragma once

#include "engine/kernels/cuda/queue.h"
#include "engine/ops/infer/convolution.h"

// Convolutions by cuDNN.
namespace assay::kernels::cuda {

/// One convolution, in the terms that cuDNN has for it. All tensors lie without gaps, row-major or,
/// with `channels_last`, with a place's channels side by side.
struct DnnConvolution {
  core::Tensor input, weight, out;
  core::Dims stride, padding, dilation;
  int64_t groups = 1;
  bool transposed = false;
  bool channels_last = false;
};

/// Runs it on the call's device, without bias. False where cuDNN has no kernel for it, and nothing
/// was done. What was found out about a convolution is kept for the next of its kind.
bool run_dnn_convolution(const ops::Call& call, const DnnConvolution& conv);

/// What cuDNN does to a result before it is written: the bias and the residual are added, and what
/// is below 0 becomes 0.
struct DnnEpilogue {
  core::Tensor bias;      ///< A vector without gaps.
  core::Tensor residual;  ///< As the result lies; undefined for none.
  bool relu = false;
};

/// The same with an epilogue, for convolutions that are not transposed.
bool run_dnn_convolution(const ops::Call& call, const DnnConvolution& conv,
                         const DnnEpilogue& epilogue);

}  // namespace assay::kernels::cuda
