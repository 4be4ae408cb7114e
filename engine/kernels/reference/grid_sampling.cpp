#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/common/grid_taps.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using common::GridAxis;
using common::GridTaps;
using common::Interpolation;
using common::Outside;
using core::Dims;
using core::Tensor;
using ops::Call;

/// The weighted sum over the taps of every axis; indices outside count as zero.
template <typename T, typename Real>
double sampled(const T* from, const Tensor& input, const GridTaps<Real>* taps, int count,
               size_t axis, size_t axes) {
  if (axis == axes) return static_cast<double>(*from);
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    int64_t index = taps[axis].indices[k];
    if (index < 0) continue;
    const T* row = from + index * input.stride(axis + 2);
    sum += static_cast<double>(taps[axis].weights[k]) *
           sampled(row, input, taps, count, axis + 1, axes);
  }
  return sum;
}

void grid_sampler(Call& c) {
  Tensor input = c.tensor(arg::input), grid = c.tensor(arg::grid), out = c.out();
  auto how = static_cast<Interpolation>(c.integer(arg::interpolation_mode));
  auto outside = static_cast<Outside>(c.integer(arg::padding_mode));
  bool align = c.boolean(arg::align_corners);
  size_t axes = input.sizes().size() - 2;
  Dims shape(grid.sizes().begin(), grid.sizes().end() - 1);
  Dims grid_strides(grid.strides().begin(), grid.strides().end() - 1), out_strides{out.stride(0)};
  for (size_t d = 0; d < axes; ++d) out_strides.push_back(out.stride(d + 2));
  Dims input_strides(shape.size(), 0);
  input_strides[0] = input.stride(0);
  common::over_floating(input.dtype(), "grid_sampler", [&](auto zero) {
    using T = decltype(zero);
    using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const T *from = input.device_data<T>(), *at = grid.device_data<T>();
    T* to = out.device_data<T>();
    common::for_each_offset<3>(
        shape, {grid_strides, out_strides, input_strides}, [&](const auto& offset) {
          GridTaps<Real> taps[3];
          for (size_t d = 0; d < axes; ++d) {
            // A grid holds x first, which is the last dimension.
            auto k = static_cast<int64_t>(axes - 1 - d);
            auto x = static_cast<Real>(at[offset[0] + k * grid.strides().back()]);
            taps[d] = grid_taps(GridAxis<Real>{input.size(d + 2), outside, align}, x, how);
          }
          for (int64_t channel = 0; channel < input.size(1); ++channel) {
            const T* plane = from + offset[2] + channel * input.stride(1);
            to[offset[1] + channel * out.stride(1)] =
                common::cast<T>(sampled(plane, input, taps, tap_count(how), 0, axes));
          }
        });
  });
}

/// grid[n, h, w] = theta[n] times (x, y, 1), where x and y run from -1 to 1.
void affine_grid(Call& c) {
  Tensor theta = c.tensor(arg::theta), out = c.out();
  bool align = c.boolean(arg::align_corners);
  size_t axes = static_cast<size_t>(out.sizes().back());
  Dims shape(out.sizes().begin(), out.sizes().end() - 1);
  Dims strides(out.strides().begin(), out.strides().end() - 1);
  common::over_floating(theta.dtype(), "affine_grid_generator", [&](auto zero) {
    using T = decltype(zero);
    const T* matrices = theta.device_data<T>();
    T* to = out.device_data<T>();
    Dims at(shape.size(), 0);
    common::for_each_offset<1>(shape, {strides}, [&](const auto& offset) {
      for (size_t i = 0; i < axes; ++i) {
        const T* row =
            matrices + at[0] * theta.stride(0) + static_cast<int64_t>(i) * theta.stride(1);
        double sum = static_cast<double>(row[static_cast<int64_t>(axes) * theta.stride(2)]);
        for (size_t k = 0; k < axes; ++k) {
          size_t d = axes - k;  // x is the last dimension
          auto size = static_cast<double>(shape[d]);
          double x = size > 1 ? 2 * static_cast<double>(at[d]) / (size - 1) - 1 : 0;
          if (!align) x *= (size - 1) / size;
          sum += static_cast<double>(row[static_cast<int64_t>(k) * theta.stride(2)]) * x;
        }
        to[offset[0] + static_cast<int64_t>(i)] = common::cast<T>(sum);
      }
      for (size_t d = at.size(); d-- > 0;) {
        if (++at[d] < shape[d]) break;
        at[d] = 0;
      }
    });
  });
}

constexpr ops::Kernel grid_sampling_table[] = {
    {"aten::grid_sampler", grid_sampler},
    {"aten::grid_sampler_2d", grid_sampler},
    {"aten::grid_sampler_3d", grid_sampler},
    {"aten::affine_grid_generator", affine_grid},
};

}  // namespace

std::span<const ops::Kernel> grid_sampling_kernels() { return grid_sampling_table; }

}  // namespace assay::kernels::reference
