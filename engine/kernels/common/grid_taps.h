#pragma once

#include <cmath>
#include <cstdint>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/common/rounded_product.h"

// What a place of a sampling grid reads along one dimension of the input, for the processor and for
// GPUs. The enumerators are numbered as PyTorch's arguments are.
namespace assay::kernels::common {

enum class Interpolation { linear, nearest, cubic };
enum class Outside { zeros, border, reflection };

/// Coordinates of a grid in one spatial dimension of the input.
template <typename Real>
struct GridAxis {
  int64_t size;
  Outside outside;
  bool align_corners;

  /// From [-1, 1] to indices.
  ASSAY_ANYWHERE Real index(Real x) const {
    auto s = static_cast<Real>(size);
    if (align_corners) return rounded_product((x + 1) / 2, s - 1);
    return (rounded_product(x + 1, s) - 1) / 2;
  }
  /// NaN lies at the last index.
  ASSAY_ANYWHERE Real clip(Real at) const {
    Real most = static_cast<Real>(size - 1);
    at = at < 0 ? Real{0} : at;
    return at < most ? at : most;
  }
  /// Folds an index back between the edges (or half an index beyond them), twice the bounds given.
  ASSAY_ANYWHERE Real reflect(Real at) const {
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
  ASSAY_ANYWHERE Real bounded(Real at) const {
    if (outside == Outside::border) return clip(at);
    if (outside == Outside::reflection) return clip(reflect(at));
    return at;
  }
  /// As an integer, or -1 where it lies outside of the input: far ones and NaN fit no integer.
  ASSAY_ANYWHERE int64_t inside(Real at) const {
    return at >= 0 && at < static_cast<Real>(size) ? static_cast<int64_t>(at) : -1;
  }
};

/// How many indices a place reads in each dimension.
ASSAY_ANYWHERE constexpr int tap_count(Interpolation how) {
  return how == Interpolation::nearest ? 1 : how == Interpolation::linear ? 2 : 4;
}

/// Input indices around a place, -1 for those outside, and their weights.
template <typename Real>
struct GridTaps {
  int64_t indices[4];
  Real weights[4];
};

template <typename Real>
ASSAY_ANYWHERE GridTaps<Real> grid_taps(const GridAxis<Real>& axis, Real x, Interpolation how) {
  GridTaps<Real> taps{};
  Real at = axis.index(x);
  if (how == Interpolation::nearest) {
    taps.indices[0] = axis.inside(std::nearbyint(axis.bounded(at)));
    taps.weights[0] = 1;
  } else if (how == Interpolation::linear) {
    at = axis.bounded(at);
    Real low = std::floor(at);
    for (int k = 0; k < 2; ++k) taps.indices[k] = axis.inside(low + static_cast<Real>(k));
    taps.weights[0] = low + 1 - at;
    taps.weights[1] = at - low;
  } else {
    Real low = std::floor(at), t = at - low, u = 1 - t;
    constexpr Real a = static_cast<Real>(-0.75);
    auto near = [=](Real v) { return ((a + 2) * v - (a + 3)) * v * v + 1; };
    auto far = [=](Real v) { return ((a * v - 5 * a) * v + 8 * a) * v - 4 * a; };
    taps.weights[0] = far(t + 1);
    taps.weights[1] = near(t);
    taps.weights[2] = near(u);
    taps.weights[3] = far(u + 1);
    for (int k = 0; k < 4; ++k)
      taps.indices[k] = axis.inside(axis.bounded(low + static_cast<Real>(k - 1)));
  }
  return taps;
}

}  // namespace assay::kernels::common
