#pragma once

#include <cmath>
#include <limits>

#include "engine/kernels/common/anywhere.h"

namespace assay::kernels::cuda {

/// The sum of exp(x), as one relative to the largest x met so far: sum * exp(largest). NaN is kept
/// in the sum.
template <typename C>
struct LogSum {
  C largest, sum;

  ASSAY_ANYWHERE static C lowest() { return -std::numeric_limits<C>::infinity(); }
  ASSAY_ANYWHERE static LogSum of_nothing() { return {lowest(), C(0)}; }
  ASSAY_ANYWHERE static LogSum of(C v) { return v == v ? LogSum{v, C(1)} : LogSum{lowest(), v}; }
  ASSAY_ANYWHERE static LogSum joined(LogSum a, LogSum b) {
    using std::exp;
    if (a.largest == b.largest) return {a.largest, a.sum + b.sum};
    if (a.largest > b.largest) return {a.largest, a.sum + b.sum * exp(b.largest - a.largest)};
    return {b.largest, b.sum + a.sum * exp(a.largest - b.largest)};
  }
};

}  // namespace assay::kernels::cuda
