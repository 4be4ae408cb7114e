// What cuDNN would convolve, by its definition.

#include "engine/base/error.h"
#include "engine/kernels/cuda/convolution.h"
#include "engine/kernels/cuda/convolution_plan.h"

namespace assay::kernels::cuda {
namespace {

/// Whether the elements lie as the library is told.
bool lies_so(const core::Tensor& t, bool channels_last) {
  return channels_last ? t.is_contiguous(core::MemoryFormat::channels_last) : t.is_contiguous();
}

}  // namespace

bool run_dnn_convolution(const ops::Call& call, const DnnConvolution& dnn) {
  for (const core::Tensor& t : {dnn.input, dnn.weight, dnn.out}) {
    base::invariant(lies_so(t, dnn.channels_last), "an operand of a convolution has strides ",
                    t.strides());
    base::invariant(t.dtype() == dnn.out.dtype() && t.numel() > 0, "no operand of a convolution");
  }
  // There are kinds that the library lacks.
  if (dnn.channels_last && dnn.out.dtype() == core::DType::float64) return false;
  if (dnn.groups == 3) return false;
  ops::infer::Convolution conv;
  conv.input = dnn.input, conv.weight = dnn.weight;
  conv.stride = dnn.stride, conv.dilation = dnn.dilation, conv.groups = dnn.groups;
  conv.padding = conv.padding_end = dnn.padding;
  conv.transposed = dnn.transposed;
  conv.output_padding = core::Dims(dnn.stride.size(), 0);
  core::Dims sizes = conv.out_sizes();
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t more = dnn.out.size(i) - sizes[i];
    bool fits = more == 0 || (dnn.transposed && i >= 2 && more > 0 && more < dnn.stride[i - 2]);
    base::invariant(fits, "a convolution of ", sizes, " into ", dnn.out.sizes());
  }
  convolve_directly(call, conv, dnn.out);
  return true;
}

bool run_dnn_convolution(const ops::Call& call, const DnnConvolution& dnn, const DnnEpilogue& e) {
  base::invariant(!dnn.transposed && e.bias.is_contiguous(), "no such convolution");
  if (dnn.groups == 2 || !run_dnn_convolution(call, dnn)) return false;
  Epilogue epilogue;
  epilogue.bias = e.bias, epilogue.residual = e.residual;
  epilogue.has_low = e.relu;
  if (e.residual) {
    base::invariant(e.residual.sizes() == dnn.out.sizes() && lies_so(e.residual, dnn.channels_last),
                    "a residual of sizes ", e.residual.sizes());
  }
  finish_convolution(call, dnn.out, dnn.out, epilogue);
  return true;
}

}  // namespace assay::kernels::cuda
