// Resampling of float32 images as weighted sums of rows and of indices in a row.

#include "engine/kernels/common/resampling.h"

#include <vector>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/upsampling.h"

namespace assay::kernels::cpu {
namespace {

using common::Filter;
using common::Taps;
using core::Tensor;
using ops::Call;

ASSAY_VECTORIZED void add_scaled(const float* in, float factor, float* out, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] += in[i] * factor;
}

// A weight of 0 counts as well: it makes NaN of what is not finite, as in PyTorch.

/// One row, along the indices: out[i] = sum over k of weights[i, k] * in[indices[i, k]].
void combine_taps(const float* in, const Taps& taps, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    float sum = 0;
    for (int64_t k = 0; k < taps.width; ++k) {
      auto tap = static_cast<size_t>(i * taps.width + k);
      sum += static_cast<float>(taps.weights[tap]) * in[taps.indices[tap]];
    }
    out[i] = sum;
  }
}

/// As combine_taps where each index holds `channels` values.
void combine_pixels(const float* in, const Taps& taps, float* out, int64_t count,
                    int64_t channels) {
  std::fill(out, out + count * channels, 0.f);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t k = 0; k < taps.width; ++k) {
      auto tap = static_cast<size_t>(i * taps.width + k);
      auto weight = static_cast<float>(taps.weights[tap]);
      add_scaled(in + taps.indices[tap] * channels, weight, out + i * channels, channels);
    }
  }
}

bool accepts_resampling(const Call& c) {
  Tensor in = c.first().to_tensor(), out = c.out();
  if (in.dim() != 4 || in.dtype() != core::DType::float32 || out.numel() == 0) return false;
  if (in.is_contiguous()) return out.is_contiguous();
  return in.is_contiguous(core::MemoryFormat::channels_last) &&
         out.is_contiguous(core::MemoryFormat::channels_last);
}

template <Filter filter>
void resample(Call& c) {
  Tensor in = c.first().to_tensor(), out = c.out();
  ops::Upsampling how = ops::upsampling_of(c, 2);
  auto taps = [&](size_t i) {
    common::Resampled d{in.size(i + 2), out.size(i + 2), how.align_corners, how.scales[i]};
    return common::resampling_taps(filter, d, false);
  };
  Taps rows = taps(0), columns = taps(1);
  bool last = !in.is_contiguous();
  int64_t lanes = last ? in.size(1) : 1, planes = last ? in.size(0) : in.size(0) * in.size(1);
  int64_t from_row = in.size(3) * lanes, to_row = out.size(3) * lanes;
  int64_t height = in.size(2), out_height = out.size(2);
  const float* from = in.device_data<float>();
  float* to = out.device_data<float>();
  auto team = Team::for_elements(static_cast<double>(std::max(in.numel(), out.numel())));
#pragma omp parallel
  {
    std::vector<float> mixed(static_cast<size_t>(from_row));
#pragma omp for schedule(static) collapse(2)
    for (int64_t p = 0; p < planes; ++p) {
      for (int64_t y = 0; y < out_height; ++y) {
        std::fill(mixed.begin(), mixed.end(), 0.f);
        for (int64_t k = 0; k < rows.width; ++k) {
          auto tap = static_cast<size_t>(y * rows.width + k);
          auto weight = static_cast<float>(rows.weights[tap]);
          add_scaled(from + (p * height + rows.indices[tap]) * from_row, weight, mixed.data(),
                     from_row);
        }
        float* target = to + (p * out_height + y) * to_row;
        if (last) {
          combine_pixels(mixed.data(), columns, target, out.size(3), lanes);
        } else {
          combine_taps(mixed.data(), columns, target, out.size(3));
        }
      }
    }
  }
}

constexpr ops::Kernel resampling_table[] = {
    {"aten::upsample_bilinear2d", resample<Filter::linear>, accepts_resampling},
    {"aten::upsample_bilinear2d.vec", resample<Filter::linear>, accepts_resampling},
    {"aten::upsample_bicubic2d", resample<Filter::cubic>, accepts_resampling},
    {"aten::upsample_bicubic2d.vec", resample<Filter::cubic>, accepts_resampling},
};

}  // namespace

std::span<const ops::Kernel> resampling_kernels() { return resampling_table; }

}  // namespace assay::kernels::cpu
