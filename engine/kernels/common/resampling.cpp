#include "engine/kernels/common/resampling.h"

#include "engine/base/deadline.h"
#include "engine/kernels/common/resampling_weights.h"

namespace assay::kernels::common {
namespace {

Taps nearest(const Resampled& d, bool exact) {
  Taps taps;
  ResampledAxis<float> axis(d);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    deadline.tick();
    taps.indices.push_back(nearest_index(axis, i, exact));
    taps.weights.push_back(1);
  }
  return taps;
}

/// `count` taps for every index, which `taps_of` gives.
template <typename Real, int count>
Taps all_taps(const Resampled& d,
              AxisTaps<Real, count> (*taps_of)(const ResampledAxis<Real>&, int64_t)) {
  Taps taps;
  taps.width = count;
  ResampledAxis<Real> axis(d);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    deadline.tick();
    AxisTaps<Real, count> around = taps_of(axis, i);
    for (int k = 0; k < count; ++k) {
      taps.indices.push_back(around.indices[k]);
      taps.weights.push_back(static_cast<double>(around.weights[k]));
    }
  }
  return taps;
}

/// A filter as wide as the step, normalised over the indices inside the source.
template <typename Real, typename Shape>
Taps antialiased(const Resampled& d) {
  using Window = FilterWindow<Real, Shape>;
  Taps taps;
  ResampledAxis<Real> axis(d);
  taps.width = Window::width(axis);
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < d.to; ++i) {
    Window window(axis, i);
    Real total = window.total();
    for (int64_t k = window.first(); k < window.first() + taps.width; ++k) {
      deadline.tick();
      bool used = k < window.last();
      taps.indices.push_back(used ? k : -1);
      Real w = used ? window.weight(k) : Real{0};
      taps.weights.push_back(static_cast<double>(total != 0 ? w / total : w));
    }
  }
  return taps;
}

template <typename Real>
Taps taps_in(Filter filter, const Resampled& d) {
  switch (filter) {
    case Filter::nearest:
      return nearest(d, false);
    case Filter::nearest_exact:
      return nearest(d, true);
    case Filter::linear:
      return all_taps<Real, 2>(d, linear_taps<Real>);
    case Filter::cubic:
      return all_taps<Real, 4>(d, cubic_taps<Real>);
    case Filter::linear_antialias:
      return antialiased<Real, Triangle<Real>>(d);
    case Filter::cubic_antialias:
      break;
  }
  return antialiased<Real, Smooth<Real>>(d);
}

}  // namespace

Taps resampling_taps(Filter filter, const Resampled& dimension, bool in_double) {
  return in_double ? taps_in<double>(filter, dimension) : taps_in<float>(filter, dimension);
}

}  // namespace assay::kernels::common
