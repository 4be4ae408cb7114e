#pragma once

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/common/anywhere.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::common {

/// How segment_reduce makes one number of a segment's elements, for all devices.
struct SegmentReduction {
  enum class Kind { max, min, sum, mean, prod };
  Kind kind;
  bool has_initial;
  double initial;  ///< What a segment begins with; an empty one is that.

  ASSAY_ANYWHERE double join(double a, double b) const {
    switch (kind) {
      case Kind::max:
        return std::isnan(b) || b > a ? b : a;  // A NaN stays: nothing is greater.
      case Kind::min:
        return std::isnan(b) || b < a ? b : a;
      case Kind::prod:
        return a * b;
      default:
        return a + b;
    }
  }

  /// Of what join() made of so many elements. The mean of nothing is NaN.
  ASSAY_ANYWHERE double end(double joined, int64_t elements) const {
    bool divides = kind == Kind::mean && (elements > 0 || !has_initial);
    return divides ? joined / static_cast<double>(elements) : joined;
  }
};

/// The reduction that the arguments of a segment_reduce name.
inline SegmentReduction segment_reduction(const ops::Call& call) {
  using Kind = SegmentReduction::Kind;
  struct Named {
    const char* name;
    Kind kind;
    double identity;
  };
  constexpr Named all[] = {{"max", Kind::max, -INFINITY},
                           {"min", Kind::min, INFINITY},
                           {"sum", Kind::sum, 0},
                           {"mean", Kind::mean, 0},
                           {"prod", Kind::prod, 1}};
  const std::string& wanted = call.string(ops::arg::reduce);
  bool given = !call.is_none(ops::arg::initial);
  for (const Named& one : all) {
    if (one.name == wanted)
      return {one.kind, given, given ? call.floating(ops::arg::initial) : one.identity};
  }
  base::fail("segment_reduce(): expected max, min, sum, mean or prod, but got ", wanted);
}

}  // namespace assay::kernels::common
