#include "engine/kernels/common/resampling.h"

#include <algorithm>
#include <cmath>

#include "engine/base/deadline.h"

namespace assay::kernels::common {
namespace {

template <typename Real>
Real step_of(const Resampled& d) {
  if (d.scale > 0) return static_cast<Real>(1.0 / d.scale);
  return static_cast<Real>(d.from) / static_cast<Real>(d.to);
}

/// The distance of result indices in the source.
template <typename Real>
Real aligned_step_of(const Resampled& d) {
  if (!d.align_corners) return step_of<Real>(d);
  return d.to > 1 ? static_cast<Real>(d.from - 1) / static_cast<Real>(d.to - 1) : Real{0};
}

/// Where a result index lies in the source; centres of indices are aligned unless
/// corners are. The step is a float's for most tensors, but PyTorch's compiled kernel fuses the
/// product with the difference from the index before, which is as if the place were exact.
double source_place(const Resampled& d, double step, int64_t i, bool may_be_negative) {
  if (d.align_corners) return step * static_cast<double>(i);
  double at = step * (static_cast<double>(i) + 0.5) - 0.5;
  return at < 0 && !may_be_negative ? 0 : at;
}

/// The index of the source at or before a place; inside the source, whatever a scale has made of
/// the place.
template <typename Real>
int64_t index_at(const Resampled& d, Real place) {
  if (!(place > 0)) return 0;
  return place < static_cast<Real>(d.from) ? std::min(static_cast<int64_t>(place), d.from - 1)
                                           : d.from - 1;
}

/// Always in float, whatever the tensor.
Taps nearest_taps(const Resampled& d, bool exact) {
  Taps taps;
  base::DeadlineTicker deadline;
  float step = step_of<float>(d);
  for (int64_t i = 0; i < d.to; ++i) {
    deadline.tick();
    float middle = exact ? 0.5f : 0.0f;
    taps.indices.push_back(index_at(d, (static_cast<float>(i) + middle) * step));
    taps.weights.push_back(1);
  }
  return taps;
}

template <typename Real>
Taps linear_taps(const Resampled& d) {
  Taps taps;
  taps.width = 2;
  Real step = aligned_step_of<Real>(d);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    deadline.tick();
    int64_t low = i, high = i;
    Real part = 0;
    if (d.from != d.to) {
      double at = source_place(d, step, i, false);
      low = index_at(d, at);
      high = std::min(low + 1, d.from - 1);
      part = static_cast<Real>(std::clamp(at - static_cast<double>(low), 0.0, 1.0));
    }
    taps.indices.insert(taps.indices.end(), {low, high});
    taps.weights.insert(taps.weights.end(),
                        {static_cast<double>(Real{1} - part), static_cast<double>(part)});
  }
  return taps;
}

/// Keys' cubic convolution with the given a: near the centre, and between one and two away. Fused
/// where PyTorch's compiled kernel fuses, so that nearly all weights are the same to the last bit.
template <typename Real>
Real cubic_near(Real x, Real a) {
  return std::fma(a + 2, x, -(a + 3)) * x * x + 1;
}
template <typename Real>
Real cubic_far(Real x, Real a) {
  return std::fma(std::fma(a, x, -5 * a), x, 8 * a) * x - 4 * a;
}

template <typename Real>
Taps cubic_taps(const Resampled& d) {
  Taps taps;
  taps.width = 4;
  const Real a = static_cast<Real>(-0.75);
  Real step = aligned_step_of<Real>(d);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    deadline.tick();
    double at = source_place(d, step, i, true);
    auto low = static_cast<int64_t>(std::floor(at));
    Real t = static_cast<Real>(at - static_cast<double>(low)), u = Real{1} - t;
    for (int64_t k = -1; k <= 2; ++k) {
      taps.indices.push_back(std::clamp<int64_t>(low + k, 0, d.from - 1));
    }
    for (Real w : {cubic_far(t + 1, a), cubic_near(t, a), cubic_near(u, a), cubic_far(u + 1, a)}) {
      taps.weights.push_back(static_cast<double>(w));
    }
  }
  return taps;
}

template <typename Real>
Real triangle(Real x) {
  return std::max(Real{0}, Real{1} - std::abs(x));
}
template <typename Real>
Real smooth(Real x) {
  const Real a = static_cast<Real>(-0.5);
  x = std::abs(x);
  if (x < 1) return cubic_near(x, a);
  return x < 2 ? cubic_far(x, a) : Real{0};
}

/// A filter as wide as the step, normalised over the indices inside the source.
template <typename Real, Real (*filter)(Real)>
Taps antialias_taps(const Resampled& d, int64_t reach) {
  Taps taps;
  Real step = aligned_step_of<Real>(d);
  Real wide = std::max(step, Real{1});
  Real support = static_cast<Real>(reach) * Real{0.5} * wide;
  Real shrink = step >= 1 ? Real{1} / step : Real{1};
  taps.width = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    Real centre = step * (static_cast<Real>(i) + Real{0.5});
    int64_t first = std::max(static_cast<int64_t>(centre - support + Real{0.5}), int64_t{0});
    int64_t last = std::min(static_cast<int64_t>(centre + support + Real{0.5}), d.from);
    std::vector<Real> weights;
    Real total = 0;
    for (int64_t k = first; k < std::min(last, first + taps.width); ++k) {
      weights.push_back(filter((static_cast<Real>(k) - centre + Real{0.5}) * shrink));
      total += weights.back();
    }
    for (int64_t k = 0; k < taps.width; ++k) {
      deadline.tick();
      bool used = k < static_cast<int64_t>(weights.size());
      taps.indices.push_back(used ? first + k : -1);
      Real w = used ? weights[static_cast<size_t>(k)] : Real{0};
      taps.weights.push_back(static_cast<double>(total != 0 ? w / total : w));
    }
  }
  return taps;
}

template <typename Real>
Taps taps_in(Filter filter, const Resampled& d) {
  switch (filter) {
    case Filter::nearest:
      return nearest_taps(d, false);
    case Filter::nearest_exact:
      return nearest_taps(d, true);
    case Filter::linear:
      return linear_taps<Real>(d);
    case Filter::cubic:
      return cubic_taps<Real>(d);
    case Filter::linear_antialias:
      return antialias_taps<Real, triangle<Real>>(d, 2);
    case Filter::cubic_antialias:
      break;
  }
  return antialias_taps<Real, smooth<Real>>(d, 4);
}

}  // namespace

Taps resampling_taps(Filter filter, const Resampled& dimension, bool in_double) {
  return in_double ? taps_in<double>(filter, dimension) : taps_in<float>(filter, dimension);
}

}  // namespace assay::kernels::common
