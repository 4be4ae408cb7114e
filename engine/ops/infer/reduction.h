#pragma once

#include <vector>

#include "engine/core/shape.h"
#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// What a call of a reduction leaves: read from its arguments named `dim` (an int, a list, or None;
/// absent, None and the empty list mean all dimensions) and `keepdim`. Dimensions outside of the
/// rank and repeated ones are input errors in PyTorch's words.
struct Reduction {
  std::vector<bool> reduced;  ///< Per dimension of the argument.
  core::Dims sizes;           ///< Of the result.
};
Reduction reduction_of(const Call& call);

// Results have the shape that reduction_of gives.

/// `dtype`, or int64 for integers and bool, or the argument's own: sum, prod.
extern const Rule reduced_sum;
/// `dtype`, or the argument's own, which must be floating or complex: mean.
extern const Rule reduced_mean;
/// As reduced_mean; a complex argument gives its real type: std, var.
extern const Rule reduced_moment;
/// std_mean, var_mean: the moment, and the mean of the argument's own type.
extern const Rule reduced_moments;
/// norm and its kin: `dtype`, or the argument's own, as a real type.
extern const Rule reduced_norm;
/// Integers give the default float type: logsumexp.
extern const Rule reduced_float;
/// int64: count_nonzero.
extern const Rule reduced_count;
/// int64 of an argument with elements: argmax, argmin.
extern const Rule reduced_index;
/// bool, but uint8 of uint8: any, all.
extern const Rule reduced_bool;
/// The argument's type: amax, max, median. Empty reductions are refused.
extern const Rule reduced_extreme;
/// median, nanmedian of all elements.
extern const Rule reduced_median;
/// aminmax: two of reduced_extreme.
extern const Rule reduced_extremes;
/// segment_reduce: one result for each segment along the axis.
extern const Rule reduced_segments;
/// Values of the argument's type, and int64 indices: max.dim, mode, kthvalue.
extern const Rule reduced_pair;
/// trace: 0-dimensional, of a matrix; integers give int64.
extern const Rule reduced_trace;

// Results of the argument's shape.

extern const Rule scanned_sum;   ///< cumsum, cumprod: dtype as reduced_sum.
extern const Rule scanned;       ///< logcumsumexp: the argument's type.
extern const Rule scanned_pair;  ///< cummax, cummin: values and int64 indices.
extern const Rule sorted_pair;   ///< sort: values and int64 indices, laid out as the argument.
extern const Rule top_pair;      ///< topk: the dimension becomes `k` long.

}  // namespace assay::ops::infer
