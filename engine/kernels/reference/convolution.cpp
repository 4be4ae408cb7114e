// Convolution by its definition, over up to three spatial dimensions.

#include "engine/ops/infer/convolution.h"

#include <array>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Convolution;

/// The last `spatial` entries of a list as three, with `fill` before them.
std::array<int64_t, 3> three(core::DimSpan list, size_t spatial, int64_t fill) {
  std::array<int64_t, 3> out{fill, fill, fill};
  for (size_t i = 0; i < spatial; ++i) out[3 - spatial + i] = list[list.size() - spatial + i];
  return out;
}

/// One spatial dimension: how positions of the output, the kernel and the input belong together.
struct Axis {
  int64_t out, in, kernel, stride, dilation, padding;

  /// Where the first position of the kernel meets the input. Positions outside of it are padding.
  int64_t first(int64_t position) const { return position * stride - padding; }
  bool has(int64_t i) const { return i >= 0 && i < in; }
};

std::array<Axis, 3> axes_of(const Convolution& conv, core::DimSpan small, core::DimSpan large) {
  size_t n = conv.spatial();
  auto out = three(small, n, 1), in = three(large, n, 1), kernel = three(conv.weight.sizes(), n, 1);
  auto stride = three(conv.stride, n, 1), dilation = three(conv.dilation, n, 1);
  auto padding = three(conv.padding, n, 0);
  std::array<Axis, 3> axes;
  for (size_t d = 0; d < 3; ++d) {
    axes[d] = {out[d], in[d], kernel[d], stride[d], dilation[d], padding[d]};
  }
  return axes;
}

/// Visits every (output, kernel, input) triple of indices that are multiplied, as row-major
/// positions in one channel. Transposed convolution exchanges the roles of input and output.
template <typename Visit>
void for_each_tap(const Convolution& conv, core::DimSpan small, core::DimSpan large,
                  Visit&& visit) {
  const std::array<Axis, 3> axes = axes_of(conv, small, large);
  const Axis &a = axes[0], &b = axes[1], &c = axes[2];
  base::DeadlineTicker deadline;
  // The taps of a row of the kernel, which lie in one row of the input.
  auto row = [&](int64_t output, int64_t first, int64_t kernel_row, int64_t input_row) {
    int64_t k = kernel_row * c.kernel, end = k + c.kernel, begin = input_row * c.in;
    for (int64_t i = first; k < end; ++k, i += c.dilation) {
      if (i >= 0 && i < c.in) visit(output, k, begin + i);
    }
  };
  int64_t output = 0;
  for (int64_t o0 = 0; o0 < a.out; ++o0)
    for (int64_t o1 = 0; o1 < b.out; ++o1)
      for (int64_t o2 = 0; o2 < c.out; ++o2, ++output)
        for (int64_t k0 = 0; k0 < a.kernel; ++k0) {
          int64_t i0 = a.first(o0) + k0 * a.dilation;
          for (int64_t k1 = 0; k1 < b.kernel; ++k1) {
            deadline.tick(c.kernel);
            int64_t i1 = b.first(o1) + k1 * b.dilation;
            if (!a.has(i0) || !b.has(i1)) continue;
            row(output, c.first(o2), k0 * b.kernel + k1, i0 * b.in + i1);
          }
        }
}

int64_t area(core::DimSpan sizes) { return core::numel(sizes.subspan(2)); }

template <typename W>
Dense<W> convolve(const Convolution& conv) {
  auto x = dense<W>(conv.input), w = dense<W>(conv.weight), bias = dense<W>(conv.bias);
  Dense<W> out(conv.out_sizes());
  int64_t outs = out.size(1), ins = x.size(1), groups = conv.groups;
  int64_t out_area = area(out.sizes), in_area = area(x.sizes), window = area(w.sizes);
  for (int64_t n = 0; n < out.size(0); ++n) {
    for (int64_t o = 0; o < outs; ++o) {
      W* to = out.data() + (n * outs + o) * out_area;
      if (bias.defined()) std::fill(to, to + out_area, bias.data()[o]);
      for (int64_t c = 0; c < ins / groups; ++c) {
        int64_t group = o / (outs / groups), in = group * (ins / groups) + c;
        const W* from = x.data() + (n * ins + in) * in_area;
        if (conv.transposed) {
          const W* kernel = w.data() + (in * (outs / groups) + o % (outs / groups)) * window;
          for_each_tap(conv, x.sizes, out.sizes, [&](int64_t small, int64_t k, int64_t large) {
            to[large] = multiply_add(to[large], from[small], kernel[k]);
          });
        } else {
          const W* kernel = w.data() + (o * (ins / groups) + c) * window;
          for_each_tap(conv, out.sizes, x.sizes, [&](int64_t small, int64_t k, int64_t large) {
            to[small] = multiply_add(to[small], from[large], kernel[k]);
          });
        }
      }
    }
  }
  return out;
}

void run_convolution(Call& c) {
  Convolution conv = ops::infer::convolution_of(c);
  Tensor out = conv.batched_view(c.out());
  over_wide(out.dtype(), [&]<typename W>(W) { store(convolve<W>(conv), out); });
}

/// To the bounds low and high; None leaves a side open.
template <typename W>
void clamp(const Call& c, Dense<W>& values) {
  if constexpr (!common::is_complex_type<W>) {
    bool has_low = !c.is_none(arg::low), has_high = !c.is_none(arg::high);
    W low = has_low ? static_cast<W>(c.floating(arg::low)) : W();
    W high = has_high ? static_cast<W>(c.floating(arg::high)) : W();
    for (W& v : values.values) {
      if (has_low && v < low) v = low;
      if (has_high && v > high) v = high;
    }
  }
}

/// The weight times the scale, rounded to its dtype.
template <typename W>
Tensor scaled_weight(const Convolution& conv) {
  auto weight = dense<W>(conv.weight), scale = dense<W>(conv.scale);
  int64_t each = conv.weight.numel() / conv.weight.size(0);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < conv.weight.numel(); ++i) {
    deadline.tick();
    weight.data()[i] = multiply_add(W(0), weight.data()[i], scale.data()[i / each]);
  }
  Tensor scaled = Tensor::empty(conv.weight.sizes(), conv.weight.dtype());
  store(weight, scaled);
  return scaled;
}

/// The values repeated to a larger shape.
template <typename W>
Dense<W> broadcast(const Dense<W>& from, core::DimSpan to) {
  Dims strides = core::broadcast_strides(from.sizes, core::contiguous_strides(from.sizes), to);
  Dense<W> out(to);
  for (size_t i = 0; i < out.values.size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    int64_t at = 0;
    for (size_t d = to.size(); d-- > 0; rest /= to[d]) at += rest % to[d] * strides[d];
    out.values[i] = from.values[static_cast<size_t>(at)];
  }
  return out;
}

void run_fused_convolution(Call& c) {
  Convolution conv = ops::infer::fused_convolution_of(c);
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    if (conv.scale) conv.weight = scaled_weight<W>(conv);
    auto out = convolve<W>(conv);
    if (Tensor residual = c.tensor(arg::residual)) {
      out = broadcast(out, c.out().sizes());
      auto added = broadcast(dense<W>(residual), c.out().sizes());
      for (size_t i = 0; i < out.values.size(); ++i) {
        out.values[i] = multiply_add(out.values[i], added.values[i], W(1));
      }
    }
    clamp(c, out);
    store(out, c.out());
  });
}

void run_scale_channels(Call& c) {
  Tensor input = c.tensor(arg::input);
  over_wide(input.dtype(), [&]<typename W>(W) {
    auto x = dense<W>(input), scale = dense<W>(c.tensor(arg::scale)),
         shift = dense<W>(c.tensor(arg::shift));
    int64_t each = area(x.sizes);
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < input.numel(); ++i) {
      deadline.tick();
      auto channel = static_cast<size_t>(i / each % input.size(1));
      x.data()[i] = multiply_add(shift.values[channel], x.data()[i], scale.values[channel]);
    }
    clamp(c, x);
    store(x, c.out());
  });
}

void run_row_major(Call& c) {
  over_wide(c.out().dtype(), [&]<typename W>(W) { store(dense<W>(c.tensor(arg::self)), c.out()); });
}

constexpr ops::Kernel convolution_table[] = {
    {"assay::convolution", run_fused_convolution},
    {"assay::scale_channels", run_scale_channels},
    {"assay::row_major", run_row_major},
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

}  // namespace assay::kernels::reference
