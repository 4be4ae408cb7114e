// Convolution by cuDNN, where it has it; by its definition where it has not.

#include "engine/kernels/cuda/convolution.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/error.h"
#include "engine/kernels/cuda/convolution_plan.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Convolution;

Dims dense_strides(const Dims& sizes, bool channels_last) {
  return channels_last ? core::format_strides(sizes, core::MemoryFormat::channels_last)
                       : core::contiguous_strides(sizes);
}

/// Whether the elements lie without gaps in this order; strides along single places do not count.
bool lies_densely(const Tensor& t, const Dims& strides) {
  for (size_t d = 0; d < strides.size(); ++d) {
    if (t.size(d) > 1 && t.stride(d) != strides[d]) return false;
  }
  return true;
}

Tensor packed(const Call& c, const Tensor& t, bool channels_last) {
  Dims strides = dense_strides(t.sizes(), channels_last);
  if (lies_densely(t, strides)) return t;
  Tensor copy = Tensor::empty_strided(t.sizes(), strides, t.dtype(), t.device());
  copy_elements(c, copy, t);
  return copy;
}

/// Weights in another order than their own, kept with the storage that they are of, as long as
/// nobody writes to that.
struct KeptWeights {
  struct Copy {
    const std::byte* data;
    Dims sizes, strides;
    Tensor packed;  ///< Undefined where the weight was seen once: it may be no constant.
  };
  uint64_t version = 0;
  std::vector<Copy> copies;

  Copy& of(const Tensor& t) {
    for (Copy& copy : copies) {
      if (copy.data == t.device_address() && copy.sizes == t.sizes() && copy.strides == t.strides())
        return copy;
    }
    return copies.emplace_back(Copy{t.device_address(), t.sizes(), t.strides(), {}});
  }
};

/// Whether other streams may read what has been issued, waiting for it if need be. Not so while a
/// recording is made.
bool finish_for_all(const Call& c) {
#ifndef ASSAY_CUDA_ON_HOST
  cudaStream_t stream = queue_of(c).stream;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "asking for a recording");
  if (status != cudaStreamCaptureStatusNone) return false;
  check(cudaStreamSynchronize(stream), "packing a weight");
#else
  queue_of(c);
#endif
  return true;
}

/// The weight without gaps in this order. The second call with a weight keeps the copy.
Tensor packed_weight(const Call& c, const Tensor& t, bool channels_last) {
  Dims strides = dense_strides(t.sizes(), channels_last);
  if (lies_densely(t, strides)) return t;
  core::Storage& storage = *t.storage();
  if (!channels_last || storage.exposed()) return packed(c, t, channels_last);
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (!storage.derived()) storage.derived() = std::make_shared<KeptWeights>();
  auto& kept = *static_cast<KeptWeights*>(storage.derived().get());
  if (kept.version != storage.version()) kept.copies.clear();
  kept.version = storage.version();
  size_t known = kept.copies.size();
  KeptWeights::Copy& copy = kept.of(t);
  if (copy.packed) return copy.packed;
  Tensor made = packed(c, t, channels_last);
  bool first = kept.copies.size() > known;
  if (!first && finish_for_all(c)) copy.packed = made;
  return made;
}

/// Where zeros before and after the input differ in number, those that are more become part of it:
/// cuDNN pads both sides alike.
void pad_unevenly(const Call& c, Convolution& conv) {
  if (conv.padding == conv.padding_end) return;
  Dims sizes = conv.input.sizes();
  for (size_t i = 0; i < conv.spatial(); ++i) sizes[i + 2] += conv.padding_end[i] - conv.padding[i];
  Tensor padded = Tensor::empty(sizes, conv.input.dtype(), conv.input.device());
  fill_elements(c, padded, 0);
  Tensor inside = padded.view(conv.input.sizes(), padded.strides(), padded.offset());
  copy_elements(c, inside, conv.input);
  conv.input = padded;
  conv.padding_end = conv.padding;
}

/// Whether cuDNN could have it.
bool is_for_dnn(const Convolution& conv, const Tensor& out) {
  bool full = conv.input.numel() > 0 && conv.weight.numel() > 0 && out.numel() > 0;
  bool typed = core::is_floating(out.dtype()) && conv.weight.dtype() == conv.input.dtype() &&
               out.dtype() == conv.input.dtype();
  bool fits = full && typed && conv.spatial() <= 3;
  for (size_t i = 0; i < conv.spatial(); ++i) {
    fits = fits && conv.padding[i] <= conv.padding_end[i];
    // As many zeros as a stride after the result are another convolution's.
    fits = fits && (!conv.transposed || conv.output_padding[i] < conv.stride[i]);
  }
  return fits;
}

bool convolve_by_dnn(const Call& c, const Convolution& conv, const Tensor& out, bool last) {
  DnnConvolution dnn{packed(c, conv.input, last),
                     packed_weight(c, conv.weight, last),
                     out,
                     conv.stride,
                     conv.padding,
                     conv.dilation,
                     conv.groups,
                     conv.transposed,
                     last};
  bool in_place = lies_densely(out, dense_strides(out.sizes(), last));
  if (!in_place) {
    dnn.out = Tensor::empty_strided(out.sizes(), dense_strides(out.sizes(), last), out.dtype(),
                                    out.device());
  }
  if (!run_dnn_convolution(c, dnn)) return false;
  if (!in_place) copy_elements(c, out, dnn.out);
  return true;
}

/// In parts of the batch, where it has more elements than cuDNN counts.
void convolve(const Call& c, Convolution conv, const Tensor& out) {
  if (out.numel() == 0) return;
  if (!is_for_dnn(conv, out)) return convolve_directly(c, conv, out);
  int64_t images = out.size(0);
  bool large = std::max(conv.input.numel(), out.numel()) > INT32_MAX;
  if (large && images > 1) {
    Convolution first = conv, second = conv;
    first.input = ops::views::narrow(conv.input, 0, 0, images / 2);
    second.input = ops::views::narrow(conv.input, 0, images / 2, images - images / 2);
    convolve(c, first, ops::views::narrow(out, 0, 0, images / 2));
    return convolve(c, second, ops::views::narrow(out, 0, images / 2, images - images / 2));
  }
  pad_unevenly(c, conv);
  bool last = out.dim() == 4 && !out.is_contiguous();
  if (convolve_by_dnn(c, conv, out, last)) return;
  if (last && convolve_by_dnn(c, conv, out, false)) return;
  convolve_directly(c, conv, out);
}

/// Whether cuDNN's epilogue is the one asked for.
bool is_for_dnn(const Epilogue& e, const Tensor& out) {
  bool biased = e.bias && e.bias.dtype() == out.dtype() && e.bias.is_contiguous();
  bool bounded = !e.has_high && (!e.has_low || e.low == 0);
  bool added =
      !e.residual || (e.residual.sizes() == out.sizes() && e.residual.dtype() == out.dtype() &&
                      lies_densely(e.residual, out.strides()));
  return biased && bounded && added;
}

/// A convolution with its epilogue in one go; false where there is no such, and nothing was done.
bool convolve_in_one(const Call& c, Convolution conv, const Tensor& out, const Epilogue& e) {
  bool fits = is_for_dnn(conv, out) && !conv.transposed && is_for_dnn(e, out) &&
              std::max(conv.input.numel(), out.numel()) <= INT32_MAX;
  bool last = out.dim() == 4 && !out.is_contiguous();
  if (!fits || !lies_densely(out, dense_strides(out.sizes(), last))) return false;
  pad_unevenly(c, conv);
  DnnConvolution dnn{packed(c, conv.input, last),
                     packed_weight(c, conv.weight, last),
                     out,
                     conv.stride,
                     conv.padding,
                     conv.dilation,
                     conv.groups,
                     false,
                     last};
  return run_dnn_convolution(c, dnn, DnnEpilogue{e.bias, e.residual, e.has_low});
}

void run_convolution(Call& c) {
  Convolution conv = ops::infer::convolution_of(c);
  Tensor out = conv.batched_view(c.out());
  Epilogue epilogue = epilogue_of(c, conv);
  if (convolve_in_one(c, conv, out, epilogue)) return;
  convolve(c, conv, out);
  if (epilogue.changes()) finish_convolution(c, out, out, epilogue);
}

void run_fused_convolution(Call& c) {
  Convolution conv = ops::infer::fused_convolution_of(c);
  if (conv.scale) conv.weight = scaled_weight(c, conv);
  Epilogue epilogue = epilogue_of(c, conv);
  Tensor out = c.out(), from = out;
  Dims sizes = conv.out_sizes();
  if (!(out.sizes() == sizes) || out.dtype() != conv.input.dtype())
    from = Tensor::empty(sizes, conv.input.dtype(), c.device());
  else if (convolve_in_one(c, conv, out, epilogue))
    return;
  convolve(c, conv, from);
  if (epilogue.changes() || !from.same(out)) finish_convolution(c, out, from, epilogue);
}

constexpr ops::Kernel convolution_table[] = {
    {"assay::convolution", run_fused_convolution},
    {"aten::convolution", run_convolution},
    {"aten::_convolution", run_convolution},
    {"aten::_convolution.deprecated", run_convolution},
    {"aten::_convolution_mode", run_convolution},
    {"aten::mkldnn_convolution", run_convolution},
    {"aten::conv1d", run_convolution},
    {"aten::conv1d.padding", run_convolution},
    {"aten::conv2d", run_convolution},
    {"aten::conv2d.padding", run_convolution},
    {"aten::conv3d", run_convolution},
    {"aten::conv3d.padding", run_convolution},
    {"aten::conv_transpose1d", run_convolution},
    {"aten::conv_transpose2d.input", run_convolution},
    {"aten::conv_transpose3d.input", run_convolution},
};

}  // namespace

std::span<const ops::Kernel> convolution_kernels() { return convolution_table; }

}  // namespace assay::kernels::cuda
