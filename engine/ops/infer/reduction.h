#pragma once

#include <vector>

#include "engine/core/shape.h"
#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// What a call of a reduction leaves: read from its arguments named `dim` (an int, a list, or None;
/// absent, None and the empty list mean all dimensions) and `keepdim`. Dimensions outside of the
/// rank and repeated ones are input errors in PyTorch's words (reduction.s1).
struct Reduction {
  std::vector<bool> reduced;  ///< Per dimension of the argument.
  core::Dims sizes;           ///< Of the result.
};
Reduction reduction_of(const Call& call);

// Results have the shape that reduction_of gives.

/// `dtype`, or int64 for integers and bool, or the argument's own: sum, prod (reduction.d1).
extern const Rule reduced_sum;
/// `dtype`, or the argument's own, which must be floating or complex: mean (reduction.d2).
extern const Rule reduced_mean;
/// As reduced_mean; a complex argument gives its real type: std, var (reduction.d3).
extern const Rule reduced_moment;
/// std_mean, var_mean: the moment, and the mean of the argument's own type (reduction.d4).
extern const Rule reduced_moments;
/// norm and its kin: `dtype`, or the argument's own, as a real type (reduction.d5).
extern const Rule reduced_norm;
/// Integers give the default float type: logsumexp (reduction.d6).
extern const Rule reduced_float;
/// int64: count_nonzero (reduction.d7).
extern const Rule reduced_count;
/// int64 of an argument with elements: argmax, argmin (reduction.s2).
extern const Rule reduced_place;
/// bool, but uint8 of uint8: any, all (reduction.d8).
extern const Rule reduced_bool;
/// The argument's type: amax, max, median (reduction.d9). Empty reductions are refused
/// (reduction.s2).
extern const Rule reduced_extreme;
/// aminmax: two of reduced_extreme.
extern const Rule reduced_extremes;
/// Values of the argument's type, and int64 indices: max.dim, mode, kthvalue (reduction.d10).
extern const Rule reduced_pair;
/// trace: 0-dimensional, of a matrix; integers give int64 (reduction.s3).
extern const Rule reduced_trace;

// Results of the argument's shape.

extern const Rule scanned_sum;   ///< cumsum, cumprod: dtype as reduced_sum.
extern const Rule scanned;       ///< logcumsumexp: the argument's type.
extern const Rule scanned_pair;  ///< cummax, cummin: values and int64 indices.
extern const Rule sorted_pair;   ///< sort: values and int64 indices, laid out as the argument.
extern const Rule top_pair;      ///< topk: the dimension becomes `k` long (reduction.s4).

}  // namespace assay::ops::infer
