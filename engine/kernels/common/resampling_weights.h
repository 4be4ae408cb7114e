#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/common/resampling.h"

// What single indices of a resampled dimension are made of, for the processor and for GPUs.
namespace assay::kernels::common {

/// One dimension to resample, with coordinates and weights of type Real; those of nearest indices
/// are floats, whatever the tensor.
template <typename Real>
class ResampledAxis {
 public:
  ResampledAxis() = default;
  explicit ResampledAxis(const Resampled& d)
      : from_(d.from), to_(d.to), align_corners_(d.align_corners) {
    if (align_corners_)
      step_ = to_ > 1 ? static_cast<Real>(from_ - 1) / static_cast<Real>(to_ - 1) : Real{0};
    else if (d.scale > 0)
      step_ = static_cast<Real>(1.0 / d.scale);
    else
      step_ = static_cast<Real>(from_) / static_cast<Real>(to_);
  }

  ASSAY_ANYWHERE int64_t from() const { return from_; }
  /// The distance of result indices in the source.
  ASSAY_ANYWHERE Real step() const { return step_; }
  /// A step of 1 that begins at 0, whatever the scale asked for.
  ASSAY_ANYWHERE bool keeps_size() const { return from_ == to_; }

  /// Where a result index lies in the source; centres of indices are aligned unless
  /// corners are. The step is a float's for most tensors, but PyTorch's compiled kernel fuses the
  /// product with the difference from the index before, which is as if the place were exact.
  ASSAY_ANYWHERE double place(int64_t i, bool may_be_negative) const {
    auto step = static_cast<double>(step_);
    if (align_corners_) return step * static_cast<double>(i);
    double at = step * (static_cast<double>(i) + 0.5) - 0.5;
    return at < 0 && !may_be_negative ? 0 : at;
  }

  /// The index of the source at or before a place; inside the source, whatever a scale has made of
  /// the place.
  template <typename Place>
  ASSAY_ANYWHERE int64_t index_at(Place place) const {
    if (!(place > 0)) return 0;
    if (!(place < static_cast<Place>(from_))) return from_ - 1;
    auto index = static_cast<int64_t>(place);
    return index < from_ ? index : from_ - 1;
  }

 private:
  int64_t from_ = 1;
  int64_t to_ = 1;
  bool align_corners_ = false;
  Real step_ = 1;
};

/// Source indices and their weights.
template <typename Real, int count>
struct AxisTaps {
  int64_t indices[count];
  Real weights[count];
};

ASSAY_ANYWHERE inline int64_t nearest_index(const ResampledAxis<float>& axis, int64_t i,
                                            bool exact) {
  float middle = exact ? 0.5f : 0.0f;
  return axis.index_at((static_cast<float>(i) + middle) * axis.step());
}

template <typename Real>
ASSAY_ANYWHERE AxisTaps<Real, 2> linear_taps(const ResampledAxis<Real>& axis, int64_t i) {
  int64_t low = i, high = i;
  Real part = 0;
  if (!axis.keeps_size()) {
    double at = axis.place(i, false);
    low = axis.index_at(at);
    high = low + 1 < axis.from() ? low + 1 : axis.from() - 1;
    double rest = at - static_cast<double>(low);
    part = static_cast<Real>(rest < 0 ? 0.0 : rest > 1 ? 1.0 : rest);
  }
  return {{low, high}, {Real{1} - part, part}};
}

/// Keys' cubic convolution with the given a: near the centre, and between one and two away. Fused
/// where PyTorch's compiled kernel fuses, so that nearly all weights are the same to the last bit.
template <typename Real>
ASSAY_ANYWHERE Real cubic_near(Real x, Real a) {
  return std::fma(a + 2, x, -(a + 3)) * x * x + 1;
}
template <typename Real>
ASSAY_ANYWHERE Real cubic_far(Real x, Real a) {
  return std::fma(std::fma(a, x, -5 * a), x, 8 * a) * x - 4 * a;
}

template <typename Real>
ASSAY_ANYWHERE AxisTaps<Real, 4> cubic_taps(const ResampledAxis<Real>& axis, int64_t i) {
  const Real a = static_cast<Real>(-0.75);
  double at = axis.place(i, true);
  auto low = static_cast<int64_t>(std::floor(at));
  Real t = static_cast<Real>(at - static_cast<double>(low)), u = Real{1} - t;
  AxisTaps<Real, 4> taps{
      {}, {cubic_far(t + 1, a), cubic_near(t, a), cubic_near(u, a), cubic_far(u + 1, a)}};
  for (int k = 0; k < 4; ++k) {
    int64_t index = low + k - 1;
    taps.indices[k] = index < 0 ? 0 : index < axis.from() ? index : axis.from() - 1;
  }
  return taps;
}

/// The filters of antialiasing, which widen with the step.
template <typename Real>
struct Triangle {
  static constexpr int64_t reach = 2;
  ASSAY_ANYWHERE static Real of(Real x) {
    Real height = Real{1} - std::abs(x);
    return height > 0 ? height : Real{0};
  }
};
template <typename Real>
struct Smooth {
  static constexpr int64_t reach = 4;
  ASSAY_ANYWHERE static Real of(Real x) {
    const Real a = static_cast<Real>(-0.5);
    x = std::abs(x);
    if (x < 1) return cubic_near(x, a);
    return x < 2 ? cubic_far(x, a) : Real{0};
  }
};

/// The source indices that a widened filter reaches from one result index.
template <typename Real, typename Shape>
class FilterWindow {
 public:
  ASSAY_ANYWHERE FilterWindow(const ResampledAxis<Real>& axis, int64_t i) {
    Real reach = support(axis);
    shrink_ = axis.step() >= 1 ? Real{1} / axis.step() : Real{1};
    centre_ = axis.step() * (static_cast<Real>(i) + Real{0.5});
    first_ = static_cast<int64_t>(centre_ - reach + Real{0.5});
    if (first_ < 0) first_ = 0;
    last_ = static_cast<int64_t>(centre_ + reach + Real{0.5});
    if (last_ > axis.from()) last_ = axis.from();
    int64_t most = width(axis);
    if (last_ - first_ > most) last_ = first_ + most;
  }
  /// At most so many.
  ASSAY_ANYWHERE static int64_t width(const ResampledAxis<Real>& axis) {
    return static_cast<int64_t>(std::ceil(support(axis))) * 2 + 1;
  }

  ASSAY_ANYWHERE int64_t first() const { return first_; }
  ASSAY_ANYWHERE int64_t last() const { return last_; }  ///< Behind the last one.
  /// To be divided by the sum over all of them, if that is not 0.
  ASSAY_ANYWHERE Real weight(int64_t index) const {
    return Shape::of((static_cast<Real>(index) - centre_ + Real{0.5}) * shrink_);
  }
  ASSAY_ANYWHERE Real total() const {
    Real sum = 0;
    for (int64_t k = first_; k < last_; ++k) sum += weight(k);
    return sum;
  }

 private:
  ASSAY_ANYWHERE static Real support(const ResampledAxis<Real>& axis) {
    Real wide = axis.step() > 1 ? axis.step() : Real{1};
    return static_cast<Real>(Shape::reach) * Real{0.5} * wide;
  }

  int64_t first_, last_;
  Real centre_, shrink_;
};

}  // namespace assay::kernels::common
