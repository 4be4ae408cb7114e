// The pieces of PyTorch's fused attention.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

void check_floating(core::DType dtype, const char* what) {
  if (!core::is_floating(dtype)) common::not_implemented_for(dtype, what);
}

/// Softmax over one dimension of the elements whose mask is false; masked ones give 0, and a row
/// that is masked altogether gives NaN.
void run_masked_softmax(Call& c) {
  Tensor input = c.tensor(arg::self);
  check_floating(input.dtype(), "masked_softmax");
  auto x = dense<double>(input);
  auto mask = dense<int64_t>(c.tensor(arg::mask));
  auto dim =
      static_cast<size_t>(core::wrap_dim(c.integer_or(arg::dim, input.dim() - 1), input.dim()));
  int64_t step = 1, length = input.dim() == 0 ? 1 : input.size(dim);
  for (size_t d = dim + 1; d < input.sizes().size(); ++d) step *= input.size(d);
  Dense<double> out(input.sizes());
  for (int64_t r = 0; length > 0 && r < input.numel() / length; ++r) {
    int64_t first = r / step * step * length + r % step;
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      if (!mask.data()[first + i * step]) top = std::max(top, x.data()[first + i * step]);
    }
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = first + i * step;
      out.data()[at] = mask.data()[at] ? 0 : std::exp(x.data()[at] - top);
      sum += out.data()[at];
    }
    for (int64_t i = 0; i < length; ++i) out.data()[first + i * step] /= sum;
  }
  store(out, c.out());
}

/// Adds the bias, splits into query, key and value by heads, and scales the query by
/// 1 / sqrt(width).
void run_rescale_qkv(Call& c) {
  check_floating(c.out().dtype(), "transform_bias_rescale_qkv");
  if (c.out().numel() == 0) return;  // There may be any number of heads without width.
  auto x = dense<double>(c.tensor(arg::qkv)), bias = dense<double>(c.tensor(arg::qkv_bias));
  int64_t batch = x.size(0), time = x.size(1), heads = c.integer(arg::num_heads),
          width = c.out().size(3);
  for (int64_t part = 0; part < 3; ++part) {
    Dense<double> out(c.out().sizes());
    double scale = part == 0 ? 1 / std::sqrt(static_cast<double>(width)) : 1;
    double* to = out.data();
    for (int64_t n = 0; n < batch; ++n)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t t = 0; t < time; ++t)
          for (int64_t k = 0; k < width; ++k) {
            int64_t column = (part * heads + h) * width + k;
            *to++ = (x.data()[(n * time + t) * 3 * heads * width + column] + bias.data()[column]) *
                    scale;
          }
    store(out, c.out(static_cast<size_t>(part)));
  }
}

constexpr ops::Kernel attention_table[] = {
    {"aten::_masked_softmax", run_masked_softmax},
    {"aten::_transform_bias_rescale_qkv", run_rescale_qkv},
};

}  // namespace

std::span<const ops::Kernel> attention_kernels() { return attention_table; }

}  // namespace assay::kernels::reference
