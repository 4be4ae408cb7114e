// Images made larger and smaller. Each thread makes one element of the result.

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/resampling_weights.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/images.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/upsampling.h"

namespace assay::kernels::cuda {
namespace {

using common::ResampledAxis;
using core::Tensor;
using ops::Call;

/// The overloads that take lists leave the number of dimensions open.
void check_dimensions(const Tensor& input) {
  if (input.dim() > 5) base::unsupported("resampling ", input.dim() - 2, " dimensions on a GPU");
}

/// What sums over an antialiasing filter are kept in: its weights differ in sign, and sums of many
/// of them are small.
template <typename T>
using Sum = std::conditional_t<is_half_type<T>, float, double>;

/// The dimensions of a result, the innermost last; missing ones come first and stay as they are.
template <typename Real>
struct Axes {
  ResampledAxis<Real> of[3];
};

template <typename Real>
Axes<Real> axes_of(const Call& c, const Tensor& input, const Tensor& out) {
  size_t spatial = input.sizes().size() - 2;
  ops::Upsampling how = ops::upsampling_of(c, spatial);
  Axes<Real> axes;
  for (size_t d = 0; d < spatial; ++d) {
    axes.of[3 - spatial + d] = ResampledAxis<Real>(
        common::Resampled{input.size(d + 2), out.size(d + 2), how.align_corners, how.scales[d]});
  }
  return axes;
}

/// Elements are moved as words of their size.
template <typename Word, bool exact>
struct NearestBody {
  const Word* from;
  Word* to;
  Images in, out;
  Axes<float> axes;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex at = out.at(i);
    int64_t target = out.offset(at);
    for (int d = 0; d < 3; ++d) {
      if (in.steps[d] != 0) at.place[d] = nearest_index(axes.of[d], at.place[d], exact);
    }
    to[target] = from[in.offset(at)];
  }
};

template <typename Word, bool exact>
void run_nearest(const Call& c, const Tensor& input, const Tensor& out) {
  NearestBody<Word, exact> body{reinterpret_cast<const Word*>(input.device_address()),
                                reinterpret_cast<Word*>(out.device_address()), Images(input),
                                Images(out), axes_of<float>(c, input, out)};
  for_each(queue_of(c), body.out.count, body);
}

template <bool exact>
void upsample_nearest(Call& c) {
  Tensor input = c.first().to_tensor(), out = c.out();
  check_dimensions(input);
  if (out.numel() == 0) return;
  switch (input.item_size()) {
    case 1:
      return run_nearest<uint8_t, exact>(c, input, out);
    case 2:
      return run_nearest<uint16_t, exact>(c, input, out);
    case 4:
      return run_nearest<uint32_t, exact>(c, input, out);
    default:
      return run_nearest<uint64_t, exact>(c, input, out);
  }
}

/// Filters of a fixed number of taps.
template <typename Real>
struct Linear {
  static constexpr int count = 2;
  ASSAY_ANYWHERE static common::AxisTaps<Real, 2> taps(const ResampledAxis<Real>& a, int64_t i) {
    return common::linear_taps(a, i);
  }
};
template <typename Real>
struct Cubic {
  static constexpr int count = 4;
  ASSAY_ANYWHERE static common::AxisTaps<Real, 4> taps(const ResampledAxis<Real>& a, int64_t i) {
    return common::cubic_taps(a, i);
  }
};

/// The weighted sum of the source around a place, in the last `spatial` dimensions.
template <typename T, int spatial, template <typename> typename Filter>
struct FilterBody {
  using Real = Computed<T>;
  using Taps = common::AxisTaps<Real, Filter<Real>::count>;

  const T* from;
  T* to;
  Images in, out;
  Axes<Real> axes;

  template <int d>
  ASSAY_ANYWHERE Real sum(const T* at, const Taps (&taps)[3]) const {
    if constexpr (d == 3) {
      return convert<Real>(*at);
    } else {
      Real total = 0;
      for (int k = 0; k < Filter<Real>::count; ++k)
        total += taps[d].weights[k] * sum<d + 1>(at + taps[d].indices[k] * in.steps[d], taps);
      return total;
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex at = out.at(i);
    Taps taps[3];
    for (int d = 3 - spatial; d < 3; ++d) taps[d] = Filter<Real>::taps(axes.of[d], at.place[d]);
    const T* plane = from + at.image * in.image_step + at.channel * in.channel_step;
    to[out.offset(at)] = convert<T>(sum<3 - spatial>(plane, taps));
  }
};

/// The same with filters as wide as the steps, normalised over the indices inside the source.
template <typename T, template <typename> typename Shape>
struct AntialiasBody {
  using Real = Computed<T>;
  using Window = common::FilterWindow<Real, Shape<Real>>;

  const T* from;
  T* to;
  Images in, out;
  Axes<Real> axes;

  template <int d>
  ASSAY_ANYWHERE Sum<T> sum(const T* at, const Window (&windows)[3], const Real (&all)[3]) const {
    if constexpr (d == 3) {
      return convert<Sum<T>>(*at);
    } else {
      Sum<T> total = 0;
      const Window& window = windows[d];
      for (int64_t k = window.first(); k < window.last(); ++k)
        total += window.weight(k) / all[d] * sum<d + 1>(at + k * in.steps[d], windows, all);
      return total;
    }
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex at = out.at(i);
    Window windows[3] = {Window(axes.of[0], at.place[0]), Window(axes.of[1], at.place[1]),
                         Window(axes.of[2], at.place[2])};
    Real all[3];
    for (int d = 0; d < 3; ++d) {
      all[d] = windows[d].total();
      if (all[d] == 0) all[d] = 1;
    }
    const T* plane = from + at.image * in.image_step + at.channel * in.channel_step;
    to[out.offset(at)] = convert<T>(sum<0>(plane, windows, all));
  }
};

template <typename Body, typename T>
void run_filter(const Call& c, const Tensor& input, const Tensor& out) {
  Body body{input.device_data<T>(), out.device_data<T>(), Images(input), Images(out),
            axes_of<typename Body::Real>(c, input, out)};
  for_each(queue_of(c), body.out.count, body);
}

template <typename T, template <typename> typename Filter>
void run_taps(const Call& c, const Tensor& input, const Tensor& out) {
  switch (input.dim()) {
    case 2:
      return run_filter<FilterBody<T, 0, Filter>, T>(c, input, out);
    case 3:
      return run_filter<FilterBody<T, 1, Filter>, T>(c, input, out);
    case 4:
      return run_filter<FilterBody<T, 2, Filter>, T>(c, input, out);
    default:
      return run_filter<FilterBody<T, 3, Filter>, T>(c, input, out);
  }
}

template <template <typename> typename Filter>
void upsample(Call& c) {
  Tensor input = c.first().to_tensor(), out = c.out();
  check_dimensions(input);
  if (out.numel() == 0) return;
  common::over_floating(input.dtype(), "upsample",
                        [&](auto zero) { run_taps<decltype(zero), Filter>(c, input, out); });
}

template <template <typename> typename Shape>
void upsample_antialias(Call& c) {
  Tensor input = c.first().to_tensor(), out = c.out();
  check_dimensions(input);
  if (out.numel() == 0) return;
  common::over_floating(input.dtype(), "upsample", [&](auto zero) {
    using T = decltype(zero);
    run_filter<AntialiasBody<T, Shape>, T>(c, input, out);
  });
}

constexpr ops::Kernel resampling_table[] = {
    {"aten::upsample_nearest1d", upsample_nearest<false>},
    {"aten::upsample_nearest1d.vec", upsample_nearest<false>},
    {"aten::upsample_nearest2d", upsample_nearest<false>},
    {"aten::upsample_nearest2d.vec", upsample_nearest<false>},
    {"aten::upsample_nearest3d", upsample_nearest<false>},
    {"aten::upsample_nearest3d.vec", upsample_nearest<false>},
    {"aten::_upsample_nearest_exact1d", upsample_nearest<true>},
    {"aten::_upsample_nearest_exact1d.vec", upsample_nearest<true>},
    {"aten::_upsample_nearest_exact2d", upsample_nearest<true>},
    {"aten::_upsample_nearest_exact2d.vec", upsample_nearest<true>},
    {"aten::_upsample_nearest_exact3d", upsample_nearest<true>},
    {"aten::_upsample_nearest_exact3d.vec", upsample_nearest<true>},
    {"aten::upsample_linear1d", upsample<Linear>},
    {"aten::upsample_linear1d.vec", upsample<Linear>},
    {"aten::upsample_bilinear2d", upsample<Linear>},
    {"aten::upsample_bilinear2d.vec", upsample<Linear>},
    {"aten::upsample_trilinear3d", upsample<Linear>},
    {"aten::upsample_trilinear3d.vec", upsample<Linear>},
    {"aten::upsample_bicubic2d", upsample<Cubic>},
    {"aten::upsample_bicubic2d.vec", upsample<Cubic>},
    {"aten::_upsample_bilinear2d_aa", upsample_antialias<common::Triangle>},
    {"aten::_upsample_bilinear2d_aa.vec", upsample_antialias<common::Triangle>},
    {"aten::_upsample_bicubic2d_aa", upsample_antialias<common::Smooth>},
    {"aten::_upsample_bicubic2d_aa.vec", upsample_antialias<common::Smooth>},
};

}  // namespace

std::span<const ops::Kernel> resampling_kernels() { return resampling_table; }

}  // namespace assay::kernels::cuda
