#include <algorithm>
#include <cmath>

#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;

enum class Interpolation { linear, nearest, cubic };
enum class Outside { zeros, border, reflection };

/// Coordinates of a grid in one spatial dimension of the input.
template <typename Real>
struct Axis {
  int64_t size;
  Outside outside;
  bool align_corners;

  /// From [-1, 1] to indices.
  Real index(Real x) const {
    auto s = static_cast<Real>(size);
    return align_corners ? (x + 1) / 2 * (s - 1) : ((x + 1) * s - 1) / 2;
  }
  Real clip(Real at) const { return std::min(static_cast<Real>(size - 1), std::max(at, Real{0})); }
  /// Folds an index back between the edges (or half an index beyond them), twice the bounds given.
  Real reflect(Real at) const {
    int64_t twice_low = align_corners ? 0 : -1;
    int64_t twice_high = align_corners ? 2 * (size - 1) : 2 * size - 1;
    if (twice_low == twice_high) return 0;
    Real low = static_cast<Real>(twice_low) / 2;
    Real span = static_cast<Real>(twice_high - twice_low) / 2;
    at = std::abs(at - low);
    Real extra = std::fmod(at, span);
    bool turned = static_cast<int64_t>(std::floor(at / span)) % 2 != 0;
    return (turned ? span - extra : extra) + low;
  }
  /// What padding makes of an index.
  Real bounded(Real at) const {
    if (outside == Outside::border) return clip(at);
    if (outside == Outside::reflection) return clip(reflect(at));
    return at;
  }
};

/// The weights of the input indices around a point, per axis: up to four.
template <typename Real>
struct AxisTaps {
  int64_t indices[4];
  Real weights[4];
  int count;
};

template <typename Real>
AxisTaps<Real> taps_at(const Axis<Real>& axis, Real x, Interpolation how) {
  AxisTaps<Real> taps{};
  Real at = axis.index(x);
  auto bounded_index = [&](Real p) {
    // Far coordinates and NaN must not overflow an integer; they lie outside either way.
    Real inside = std::clamp<Real>(p, -1e9f, 1e9f);
    return std::isnan(inside) ? int64_t{-1} : static_cast<int64_t>(inside);
  };
  if (how == Interpolation::nearest) {
    taps.count = 1;
    taps.indices[0] = bounded_index(std::nearbyint(axis.bounded(at)));
    taps.weights[0] = 1;
  } else if (how == Interpolation::linear) {
    at = axis.bounded(at);
    Real low = std::floor(at);
    taps.count = 2;
    for (int k = 0; k < 2; ++k) taps.indices[k] = bounded_index(low + static_cast<Real>(k));
    taps.weights[0] = low + 1 - at;
    taps.weights[1] = at - low;
  } else {
    Real low = std::floor(at), t = at - low, u = 1 - t;
    constexpr Real a = static_cast<Real>(-0.75);
    auto near = [&](Real v) { return ((a + 2) * v - (a + 3)) * v * v + 1; };
    auto far = [&](Real v) { return ((a * v - 5 * a) * v + 8 * a) * v - 4 * a; };
    taps.count = 4;
    Real weights[4] = {far(t + 1), near(t), near(u), far(u + 1)};
    for (int k = 0; k < 4; ++k) {
      taps.indices[k] = bounded_index(axis.bounded(low + static_cast<Real>(k - 1)));
      taps.weights[k] = weights[k];
    }
  }
  return taps;
}

/// The weighted sum over the taps of every axis; indices outside count as zero.
template <typename T, typename Real>
double sampled(const T* from, const Tensor& input, const AxisTaps<Real>* taps, size_t axis,
               size_t axes) {
  if (axis == axes) return static_cast<double>(*from);
  double sum = 0;
  for (int k = 0; k < taps[axis].count; ++k) {
    int64_t index = taps[axis].indices[k];
    if (index < 0 || index >= input.size(axis + 2)) continue;
    const T* row = from + index * input.stride(axis + 2);
    sum += static_cast<double>(taps[axis].weights[k]) * sampled(row, input, taps, axis + 1, axes);
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
          AxisTaps<Real> taps[3];
          for (size_t d = 0; d < axes; ++d) {
            // A grid holds x first, which is the last dimension.
            auto k = static_cast<int64_t>(axes - 1 - d);
            auto x = static_cast<Real>(at[offset[0] + k * grid.strides().back()]);
            taps[d] = taps_at(Axis<Real>{input.size(d + 2), outside, align}, x, how);
          }
          for (int64_t channel = 0; channel < input.size(1); ++channel) {
            const T* plane = from + offset[2] + channel * input.stride(1);
            to[offset[1] + channel * out.stride(1)] =
                common::cast<T>(sampled(plane, input, taps, 0, axes));
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
