// Images read at the places of a grid, and the grids of affine maps.

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/grid_taps.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/images.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using common::GridAxis;
using common::GridTaps;
using common::Interpolation;
using common::Outside;
using core::Tensor;
using ops::Call;

/// How a grid lies in memory, in elements: the steps of its places, the innermost dimension last,
/// and of the coordinates of one.
struct GridSteps {
  int64_t image, place[3], coordinate;

  explicit GridSteps(const Tensor& grid) : image(grid.stride(0)), place{} {
    size_t spatial = grid.sizes().size() - 2;
    for (size_t d = 0; d < spatial; ++d) place[3 - spatial + d] = grid.stride(1 + d);
    coordinate = grid.strides().back();
  }
  ASSAY_ANYWHERE int64_t offset(const ImageIndex& at) const {
    int64_t offset = at.image * image;
    for (int d = 0; d < 3; ++d) offset += at.place[d] * place[d];
    return offset;
  }
};

/// What sums are kept in: reading the elements costs more than that.
template <typename T>
using Sum = std::conditional_t<is_half_type<T>, float, double>;

/// One element of the result: the weighted sum over the taps of every axis; indices outside count
/// as zero.
template <typename T, int axes, Interpolation how>
struct SampleBody {
  using Real = Computed<T>;

  const T *from, *grid;
  T* to;
  Images in, out;
  GridSteps steps;
  Outside outside;
  bool align_corners;

  template <int d>
  ASSAY_ANYWHERE Sum<T> sum(const T* at, const GridTaps<Real> (&taps)[3]) const {
    if constexpr (d == 3) {
      return convert<Sum<T>>(*at);
    } else {
      Sum<T> total = 0;
      for (int k = 0; k < tap_count(how); ++k) {
        int64_t index = taps[d].indices[k];
        if (index >= 0) total += taps[d].weights[k] * sum<d + 1>(at + index * in.steps[d], taps);
      }
      return total;
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex at = out.at(i);
    const T* place = grid + steps.offset(at);
    GridTaps<Real> taps[3];
    for (int d = 3 - axes; d < 3; ++d) {
      // A grid holds x first, which is the last dimension.
      Real x = convert<Real>(place[(2 - d) * steps.coordinate]);
      taps[d] = grid_taps(GridAxis<Real>{in.sizes[d], outside, align_corners}, x, how);
    }
    const T* plane = from + at.image * in.image_step + at.channel * in.channel_step;
    to[out.offset(at)] = convert<T>(sum<3 - axes>(plane, taps));
  }
};

template <typename T, int axes, Interpolation how>
void run_sampler(const Call& c) {
  Tensor input = c.tensor(arg::input), grid = c.tensor(arg::grid), out = c.out();
  SampleBody<T, axes, how> body{input.device_data<T>(),
                                grid.device_data<T>(),
                                out.device_data<T>(),
                                Images(input),
                                Images(out),
                                GridSteps(grid),
                                static_cast<Outside>(c.integer(arg::padding_mode)),
                                c.boolean(arg::align_corners)};
  for_each(queue_of(c), body.out.count, body);
}

template <typename T, int axes>
void run_sampler(const Call& c) {
  switch (static_cast<Interpolation>(c.integer(arg::interpolation_mode))) {
    case Interpolation::linear:
      return run_sampler<T, axes, Interpolation::linear>(c);
    case Interpolation::nearest:
      return run_sampler<T, axes, Interpolation::nearest>(c);
    default:
      return run_sampler<T, axes, Interpolation::cubic>(c);
  }
}

void grid_sampler(Call& c) {
  if (c.out().numel() == 0) return;
  common::over_floating(c.out().dtype(), "grid_sampler", [&](auto zero) {
    using T = decltype(zero);
    c.out().dim() == 4 ? run_sampler<T, 2>(c) : run_sampler<T, 3>(c);
  });
}

/// grid[n, h, w] = theta[n] times (x, y, 1), where x and y run from -1 to 1; one coordinate of it.
template <typename T>
struct AffineBody {
  const T* theta;
  T* to;
  int64_t image_step, row_step, column_step;  // Of the matrices.
  GridSteps steps;
  int axes;
  int64_t sizes[3];  // From the innermost on.
  bool align_corners;

  /// The i-th of the places of a dimension.
  ASSAY_ANYWHERE double place(int64_t i, int64_t size) const {
    auto count = static_cast<double>(size);
    double x = size > 1 ? 2 * static_cast<double>(i) / (count - 1) - 1 : 0;
    return align_corners ? x : x * ((count - 1) / count);
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t places = i / axes, coordinate = i - places * axes;
    ImageIndex at{};
    for (int d = 0; d < axes; ++d) {
      at.place[2 - d] = places % sizes[d];
      places /= sizes[d];
    }
    at.image = places;
    const T* row = theta + at.image * image_step + coordinate * row_step;
    double sum = convert<double>(row[axes * column_step]);
    for (int k = 0; k < axes; ++k)
      sum += convert<double>(row[k * column_step]) * place(at.place[2 - k], sizes[k]);
    to[steps.offset(at) + coordinate * steps.coordinate] = convert<T>(sum);
  }
};

template <typename T>
void run_affine_grid(const Call& c) {
  Tensor theta = c.tensor(arg::theta), out = c.out();
  AffineBody<T> body{theta.device_data<T>(),
                     out.device_data<T>(),
                     theta.stride(0),
                     theta.stride(1),
                     theta.stride(2),
                     GridSteps(out),
                     static_cast<int>(out.sizes().back()),
                     {},
                     c.boolean(arg::align_corners)};
  for (int d = 0; d < body.axes; ++d) body.sizes[d] = out.size(static_cast<size_t>(body.axes - d));
  for_each(queue_of(c), out.numel(), body);
}

void affine_grid(Call& c) {
  if (c.out().numel() == 0) return;
  common::over_floating(c.out().dtype(), "affine_grid_generator",
                        [&](auto zero) { run_affine_grid<decltype(zero)>(c); });
}

constexpr ops::Kernel grid_sampling_table[] = {
    {"aten::grid_sampler", grid_sampler},
    {"aten::grid_sampler_2d", grid_sampler},
    {"aten::grid_sampler_3d", grid_sampler},
    {"aten::affine_grid_generator", affine_grid},
};

}  // namespace

std::span<const ops::Kernel> grid_sampling_kernels() { return grid_sampling_table; }

}  // namespace assay::kernels::cuda
