// Normalization of float32 tensors.

#include <cmath>
#include <vector>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

/// out = in * scale + shift with one scale for all.
ASSAY_VECTORIZED void affine(const float* in, float scale, float shift, float* out, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] * scale + shift;
}

/// out = in * scale + shift, elementwise.
ASSAY_VECTORIZED void affine_each(const float* in, const float* scale, const float* shift,
                                  float* out, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] * scale[i] + shift[i];
}

struct Moments {
  float mean, inverse;  ///< inverse: 1 / sqrt(variance + eps)
};

ASSAY_VECTORIZED void moments(const float* in, int64_t count, float* mean, float* variance) {
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t i = 0; i < count; ++i) total += in[i];
  float m = total / static_cast<float>(count), squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < count; ++i) squares += (in[i] - m) * (in[i] - m);
  *mean = m;
  *variance = squares / static_cast<float>(count);
}

Moments moments_of(const float* in, int64_t count, double eps) {
  float mean = 0, variance = 0;
  moments(in, count, &mean, &variance);
  return {mean, 1.f / std::sqrt(variance + static_cast<float>(eps))};
}

/// (in - mean) * inverse * weight + bias over one row.
ASSAY_VECTORIZED void normalize(const float* in, float mean, float inverse, const float* weight,
                                const float* bias, float* out, int64_t count) {
  if (weight && bias) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) out[i] = (in[i] - mean) * inverse * weight[i] + bias[i];
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    float v = (in[i] - mean) * inverse;
    out[i] = v * (weight ? weight[i] : 1.f) + (bias ? bias[i] : 0.f);
  }
}

/// A vector of float32, or none.
bool is_vector(const Tensor& t) {
  return !t || (t.dtype() == core::DType::float32 && t.is_contiguous());
}

const float* elements(const Tensor& t) { return t ? t.device_data<float>() : nullptr; }

bool is_float(const Tensor& t) { return t.dtype() == core::DType::float32 && t.numel() > 0; }

bool accepts_layer_norm(const Call& c) {
  Tensor in = c.tensor(arg::input);
  return is_float(in) && in.numel() > 0 && in.is_contiguous() && is_vector(c.tensor(arg::weight)) &&
         is_vector(c.tensor(arg::bias));
}

void run_layer_norm(Call& c) {
  Tensor in = c.tensor(arg::input), weight = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  int64_t length = core::numel(c.ints(arg::normalized_shape)), rows = in.numel() / length;
  double eps = c.floating(arg::eps);
  const float *from = in.device_data<float>(), *w = elements(weight), *b = elements(bias);
  float* to = c.out().device_data<float>();
  bool save = c.results.size() > 1;
  float* means = save ? c.out(1).device_data<float>() : nullptr;
  float* inverses = save ? c.out(2).device_data<float>() : nullptr;
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    Moments m = moments_of(from + r * length, length, eps);
    normalize(from + r * length, m.mean, m.inverse, w, b, to + r * length, length);
    if (save) means[r] = m.mean, inverses[r] = m.inverse;
  }
}

/// Whether both are row-major, or both channels-last images. One of size 1 somewhere may be both,
/// so that the input alone does not tell how the result lies.
bool same_image_layout(const Tensor& in, const Tensor& out) {
  if (in.is_contiguous()) return out.is_contiguous();
  constexpr auto last = core::MemoryFormat::channels_last;
  return in.dim() == 4 && in.is_contiguous(last) && out.is_contiguous(last);
}

/// Evaluation with stored statistics.
bool accepts_batch_norm(const Call& c) {
  Tensor in = c.tensor(arg::input);
  if (c.boolean(arg::training) || !is_float(in) || in.dim() < 2) return false;
  for (ops::ArgName name : {arg::weight, arg::bias, arg::running_mean, arg::running_var}) {
    if (!is_vector(c.tensor(name))) return false;
  }
  return same_image_layout(in, c.out());
}

void run_batch_norm(Call& c) {
  Tensor in = c.tensor(arg::input), out = c.out();
  const float *weight = elements(c.tensor(arg::weight)), *bias = elements(c.tensor(arg::bias));
  const float *mean = elements(c.tensor(arg::running_mean)),
              *variance = elements(c.tensor(arg::running_var));
  auto eps = static_cast<float>(c.floating(arg::eps));
  int64_t channels = in.size(1), batch = in.size(0), area = in.numel() / (batch * channels);
  std::vector<float> scale(static_cast<size_t>(channels)), shift(scale.size());
  for (size_t i = 0; i < scale.size(); ++i) {
    scale[i] = (weight ? weight[i] : 1.f) / std::sqrt(variance[i] + eps);
    shift[i] = (bias ? bias[i] : 0.f) - mean[i] * scale[i];
  }
  const float* from = in.device_data<float>();
  float* to = out.device_data<float>();
  auto team = Team::for_elements(static_cast<double>(in.numel()));
  if (in.is_contiguous()) {
#pragma omp parallel for schedule(static)
    for (int64_t p = 0; p < batch * channels; ++p) {
      auto ch = static_cast<size_t>(p % channels);
      affine(from + p * area, scale[ch], shift[ch], to + p * area, area);
    }
    return;
  }
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < batch * area; ++p) {
    affine_each(from + p * channels, scale.data(), shift.data(), to + p * channels, channels);
  }
}

/// Statistics of `group` channels of one image at a time, each channel with its own weight.
void normalize_groups(const Tensor& in, int64_t group, const Tensor& weight, const Tensor& bias,
                      double eps, const Tensor& out) {
  int64_t channels = in.size(1), planes = in.size(0) * channels;
  int64_t area = in.numel() / planes, length = group * area;
  const float *from = in.device_data<float>(), *w = elements(weight), *b = elements(bias);
  float* to = out.device_data<float>();
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t g = 0; g < planes / group; ++g) {
    Moments m = moments_of(from + g * length, length, eps);
    for (int64_t p = g * group; p < (g + 1) * group; ++p) {
      float scale = m.inverse * (w ? w[p % channels] : 1.f);
      float shift = (b ? b[p % channels] : 0.f) - m.mean * scale;
      affine(from + p * area, scale, shift, to + p * area, area);
    }
  }
}

bool accepts_group_norm(const Call& c) {
  Tensor in = c.tensor(arg::input);
  return is_float(in) && in.is_contiguous() && c.out().is_contiguous() &&
         is_vector(c.tensor(arg::weight)) && is_vector(c.tensor(arg::bias));
}

void run_group_norm(Call& c) {
  Tensor in = c.tensor(arg::input);
  normalize_groups(in, in.size(1) / c.integer(arg::num_groups), c.tensor(arg::weight),
                   c.tensor(arg::bias), c.floating(arg::eps), c.out());
}

/// Own statistics, none kept.
bool accepts_instance_norm(const Call& c) {
  Tensor in = c.tensor(arg::input);
  return c.boolean(arg::use_input_stats) && c.is_none(arg::running_mean) &&
         c.is_none(arg::running_var) && is_float(in) && in.is_contiguous() &&
         is_vector(c.tensor(arg::weight)) && is_vector(c.tensor(arg::bias));
}

void run_instance_norm(Call& c) {
  normalize_groups(c.tensor(arg::input), 1, c.tensor(arg::weight), c.tensor(arg::bias),
                   c.floating(arg::eps), c.out());
}

bool accepts_scale_channels(const Call& c) {
  Tensor in = c.tensor(arg::input);
  bool vectors = is_vector(c.tensor(arg::scale)) && is_vector(c.tensor(arg::shift));
  return vectors && is_float(in) && same_image_layout(in, c.out());
}

void run_scale_channels(Call& c) {
  Tensor in = c.tensor(arg::input);
  const float *scale = elements(c.tensor(arg::scale)), *shift = elements(c.tensor(arg::shift));
  bool clamps = !c.is_none(arg::low) || !c.is_none(arg::high);
  float low = c.is_none(arg::low) ? -INFINITY : static_cast<float>(c.floating(arg::low));
  float high = c.is_none(arg::high) ? INFINITY : static_cast<float>(c.floating(arg::high));
  int64_t channels = in.size(1), area = in.numel() / (in.size(0) * channels);
  bool last = !in.is_contiguous();
  int64_t rows = in.size(0) * (last ? area : channels), length = last ? channels : area;
  const float* from = in.device_data<float>();
  float* to = c.out().device_data<float>();
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float* out = to + r * length;
    if (last) {
      affine_each(from + r * length, scale, shift, out, length);
    } else {
      affine(from + r * length, scale[r % channels], shift[r % channels], out, length);
    }
    if (clamps) clamp(out, out, length, low, high);
  }
}

constexpr ops::Kernel normalization_table[] = {
    {"assay::scale_channels", run_scale_channels, accepts_scale_channels},
    {"aten::layer_norm", run_layer_norm, accepts_layer_norm},
    {"aten::native_layer_norm", run_layer_norm, accepts_layer_norm},
    {"aten::batch_norm", run_batch_norm, accepts_batch_norm},
    {"aten::group_norm", run_group_norm, accepts_group_norm},
    {"aten::instance_norm", run_instance_norm, accepts_instance_norm},
};

}  // namespace

std::span<const ops::Kernel> normalization_kernels() { return normalization_table; }

}  // namespace assay::kernels::cpu
