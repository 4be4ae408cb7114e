// Softmax over the last dimension, and the pieces of fused attention.

#include <cmath>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

ASSAY_VECTORIZED float maximum(const float* in, int64_t count) {
  float top = -INFINITY;
#pragma omp simd reduction(max : top)
  for (int64_t i = 0; i < count; ++i) top = in[i] > top ? in[i] : top;
  return top;
}

/// out = e^(in - top); gives the sum.
ASSAY_VECTORIZED float exponentials(const float* in, float top, float* out, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) {
    out[i] = vector_exp(in[i] - top);
    sum += out[i];
  }
  return sum;
}

/// As exponentials, with 0 where the mask is set.
ASSAY_VECTORIZED float masked_exponentials(const float* in, const core::Bool* mask, float top,
                                           float* out, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) {
    out[i] = mask[i] ? 0.0f : vector_exp(in[i] - top);
    sum += out[i];
  }
  return sum;
}

ASSAY_VECTORIZED void affine(const float* in, float scale, float shift, float* out, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] * scale + shift;
}

/// in - top - less. In this order: where elements are large, top + less would lose `less`.
ASSAY_VECTORIZED void subtract(const float* in, float top, float less, float* out, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] - top - less;
}

bool is_plain(const Tensor& t) {
  return t.dtype() == DType::float32 && t.numel() > 0 && t.is_contiguous() && t.dim() > 0;
}

bool accepts_softmax(const Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  return is_plain(in) && is_plain(out) &&
         core::wrap_dim(c.integer(arg::dim), in.dim()) == in.dim() - 1;
}

template <bool logarithm>
void run_softmax(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t length = in.sizes().back(), rows = in.numel() / length;
  const float* from = in.device_data<float>();
  float* to = c.out().device_data<float>();
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = from + r * length;
    float* out = to + r * length;
    float top = maximum(row, length), sum = exponentials(row, top, out, length);
    if (logarithm) {
      subtract(row, top, std::log(sum), out, length);
    } else {
      affine(out, 1 / sum, 0, out, length);
    }
  }
}

bool accepts_masked_softmax(const Call& c) {
  Tensor in = c.tensor(arg::self);
  bool last = core::wrap_dim(c.integer_or(arg::dim, in.dim() - 1), in.dim()) == in.dim() - 1;
  return is_plain(in) && c.tensor(arg::mask).is_contiguous() && last;
}

void run_masked_softmax(Call& c) {
  Tensor in = c.tensor(arg::self), mask = c.tensor(arg::mask);
  int64_t length = in.sizes().back(), rows = in.numel() / length;
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = in.device_data<float>() + r * length;
    const core::Bool* hidden = mask.device_data<core::Bool>() + r * length;
    float* out = c.out().device_data<float>() + r * length;
    // The maximum shown: subtracting more than that would lose small ones.
    float top = -INFINITY;
    for (int64_t i = 0; i < length; ++i) {
      if (!hidden[i] && row[i] > top) top = row[i];
    }
    float sum = masked_exponentials(row, hidden, top, out, length);
    affine(out, 1 / sum, 0, out, length);
  }
}

bool accepts_rescale(const Call& c) {
  return is_plain(c.tensor(arg::qkv)) && is_plain(c.tensor(arg::qkv_bias));
}

/// (batch, time, 3 * heads * width) + bias, to query (scaled), key and value by heads.
void run_rescale(Call& c) {
  Tensor qkv = c.tensor(arg::qkv), bias = c.tensor(arg::qkv_bias);
  int64_t batch = qkv.size(0), time = qkv.size(1), heads = c.integer(arg::num_heads),
          width = c.out().size(3);
  float scale = 1.0f / std::sqrt(static_cast<float>(width));
  const float *from = qkv.device_data<float>(), *added = bias.device_data<float>();
  float* parts[] = {c.out(0).device_data<float>(), c.out(1).device_data<float>(),
                    c.out(2).device_data<float>()};
  auto team = Team::for_elements(static_cast<double>(qkv.numel()));
#pragma omp parallel for schedule(static) collapse(2)
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t t = 0; t < time; ++t) {
      const float* row = from + (n * time + t) * 3 * heads * width;
      for (int64_t p = 0; p < 3 * heads; ++p) {
        float* to = parts[p / heads] + ((n * heads + p % heads) * time + t) * width;
        float factor = p < heads ? scale : 1.0f;
#pragma omp simd
        for (int64_t k = 0; k < width; ++k) {
          to[k] = (row[p * width + k] + added[p * width + k]) * factor;
        }
      }
    }
  }
}

constexpr ops::Kernel softmax_table[] = {
    {"aten::softmax.int", run_softmax<false>, accepts_softmax},
    {"aten::_softmax", run_softmax<false>, accepts_softmax},
    {"aten::log_softmax.int", run_softmax<true>, accepts_softmax},
    {"aten::_masked_softmax", run_masked_softmax, accepts_masked_softmax},
    {"aten::_transform_bias_rescale_qkv", run_rescale, accepts_rescale},
};

}  // namespace

std::span<const ops::Kernel> softmax_kernels() { return softmax_table; }

}  // namespace assay::kernels::cpu
