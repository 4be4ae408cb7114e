#include "engine/kernels/common/resampling.h"

#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/rearrange.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/upsampling.h"

namespace assay::kernels::reference {
namespace {

using common::Filter;
using common::Taps;
using core::Dims;
using core::Tensor;
using ops::Call;

std::vector<Taps> taps_of(const Call& c, Filter filter) {
  Tensor input = c.first().to_tensor(), out = c.out();
  size_t spatial = input.sizes().size() - 2;
  ops::Upsampling how = ops::upsampling_of(c, spatial);
  std::vector<Taps> taps;
  for (size_t i = 0; i < spatial; ++i) {
    common::Resampled d{input.size(i + 2), out.size(i + 2), how.align_corners, how.scales[i]};
    taps.push_back(common::resampling_taps(filter, d, input.dtype() == core::DType::float64));
  }
  return taps;
}

template <Filter filter>
void upsample_nearest(Call& c) {
  IndexTable table = identity_indices(c.first().to_tensor());
  auto taps = taps_of(c, filter);
  for (size_t i = 0; i < taps.size(); ++i) table[i + 2] = taps[i].indices;
  copy_rearranged(c.out(), c.first().to_tensor(), table);
}

/// The weighted sum of the source around one result index, dimension by dimension.
template <typename T>
double resampled(const T* from, const Tensor& input, const std::vector<Taps>& taps, const Dims& at,
                 size_t d) {
  if (d == taps.size()) return static_cast<double>(*from);
  const Taps& t = taps[d];
  double sum = 0;
  for (int64_t k = 0; k < t.width; ++k) {
    auto tap = static_cast<size_t>(at[d + 2] * t.width + k);
    if (t.indices[tap] < 0) continue;
    const T* row = from + t.indices[tap] * input.stride(d + 2);
    sum += t.weights[tap] * resampled(row, input, taps, at, d + 1);
  }
  return sum;
}

template <Filter filter>
void upsample(Call& c) {
  Tensor input = c.first().to_tensor(), out = c.out();
  auto taps = taps_of(c, filter);
  common::over_floating(input.dtype(), "upsample", [&](auto zero) {
    using T = decltype(zero);
    const T* from = input.device_data<T>();
    T* to = out.device_data<T>();
    Dims at(out.sizes().size(), 0);
    common::for_each_offset<1>(out.sizes(), {out.strides()}, [&](const auto& offset) {
      const T* plane = from + at[0] * input.stride(0) + at[1] * input.stride(1);
      to[offset[0]] = common::cast<T>(resampled(plane, input, taps, at, 0));
      for (size_t d = at.size(); d-- > 0;) {
        if (++at[d] < out.size(d)) break;
        at[d] = 0;
      }
    });
  });
}

constexpr ops::Kernel resampling_table[] = {
    {"aten::upsample_nearest1d", upsample_nearest<Filter::nearest>},
    {"aten::upsample_nearest1d.vec", upsample_nearest<Filter::nearest>},
    {"aten::upsample_nearest2d", upsample_nearest<Filter::nearest>},
    {"aten::upsample_nearest2d.vec", upsample_nearest<Filter::nearest>},
    {"aten::upsample_nearest3d", upsample_nearest<Filter::nearest>},
    {"aten::upsample_nearest3d.vec", upsample_nearest<Filter::nearest>},
    {"aten::_upsample_nearest_exact1d", upsample_nearest<Filter::nearest_exact>},
    {"aten::_upsample_nearest_exact1d.vec", upsample_nearest<Filter::nearest_exact>},
    {"aten::_upsample_nearest_exact2d", upsample_nearest<Filter::nearest_exact>},
    {"aten::_upsample_nearest_exact2d.vec", upsample_nearest<Filter::nearest_exact>},
    {"aten::_upsample_nearest_exact3d", upsample_nearest<Filter::nearest_exact>},
    {"aten::_upsample_nearest_exact3d.vec", upsample_nearest<Filter::nearest_exact>},
    {"aten::upsample_linear1d", upsample<Filter::linear>},
    {"aten::upsample_linear1d.vec", upsample<Filter::linear>},
    {"aten::upsample_bilinear2d", upsample<Filter::linear>},
    {"aten::upsample_bilinear2d.vec", upsample<Filter::linear>},
    {"aten::upsample_trilinear3d", upsample<Filter::linear>},
    {"aten::upsample_trilinear3d.vec", upsample<Filter::linear>},
    {"aten::upsample_bicubic2d", upsample<Filter::cubic>},
    {"aten::upsample_bicubic2d.vec", upsample<Filter::cubic>},
    {"aten::_upsample_bilinear2d_aa", upsample<Filter::linear_antialias>},
    {"aten::_upsample_bilinear2d_aa.vec", upsample<Filter::linear_antialias>},
    {"aten::_upsample_bicubic2d_aa", upsample<Filter::cubic_antialias>},
    {"aten::_upsample_bicubic2d_aa.vec", upsample<Filter::cubic_antialias>},
};

}  // namespace

std::span<const ops::Kernel> resampling_kernels() { return resampling_table; }

}  // namespace assay::kernels::reference
