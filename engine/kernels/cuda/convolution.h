#pragma once

#include "engine/kernels/cuda/queue.h"
#include "engine/ops/infer/convolution.h"

namespace assay::kernels::cuda {

/// What is done to the elements of a convolution's result: the bias and the residual are added,
/// then they are clamped.
struct Epilogue {
  core::Tensor bias;      ///< One for each channel; undefined for none.
  core::Tensor residual;  ///< Broadcast to the result; undefined for none.
  bool has_low = false, has_high = false;
  double low = 0, high = 0;

  bool changes() const { return bias || residual || has_low || has_high; }
};

/// out = epilogue(from), where `from` has the sizes of a convolution's result and is broadcast; the
/// two may be one tensor.
void finish_convolution(const ops::Call& call, const core::Tensor& out, const core::Tensor& from,
                        const Epilogue& epilogue);

/// A convolution by its definition, a thread for each element of the result, without its bias: for
/// all element types and sizes.
void convolve_directly(const ops::Call& call, const ops::infer::Convolution& conv,
                       const core::Tensor& out);

/// The weight of an optimized graph's convolution times its scale, rounded to its type.
core::Tensor scaled_weight(const ops::Call& call, const ops::infer::Convolution& conv);

/// What an operator's call says of its epilogue: the bias, and what fused ones have besides.
Epilogue epilogue_of(const ops::Call& call, const ops::infer::Convolution& conv);

}  // namespace assay::kernels::cuda
