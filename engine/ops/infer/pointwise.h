#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// Broadcast of all tensor arguments; dtype by promotion (pointwise.d1).
extern const Rule pointwise;
/// As pointwise; integers and bools give the default float type (exp, div) (pointwise.d2).
extern const Rule pointwise_float;
/// As pointwise with a bool result (comparisons, isnan) (pointwise.d3).
extern const Rule pointwise_bool;
/// Broadcast; the dtype of the first tensor argument.
extern const Rule pointwise_first;
/// As pointwise; complex arguments give their real type (abs) (pointwise.d4).
extern const Rule pointwise_real;
/// As pointwise_float, then the real type (angle) (pointwise.d5).
extern const Rule pointwise_real_float;
/// float64, or complex128 for complex arguments (float_power) (pointwise.d6).
extern const Rule pointwise_widest;
/// add: as pointwise, with the checks of its alpha (pointwise.d7).
extern const Rule pointwise_sum;
/// sub, rsub: as pointwise_sum; bool operands are refused (pointwise.d8).
extern const Rule pointwise_difference;
/// div with a rounding mode: as pointwise, or as pointwise_float where the mode is None
/// (pointwise.d9).
extern const Rule pointwise_reversed_difference;
extern const Rule pointwise_conjugate;
extern const Rule pointwise_quotient;
/// clamp and its halves: bounds that are numbers take part in promotion (pointwise.d10).
extern const Rule pointwise_clamp;
/// where: the condition is bool and takes no part in promotion (pointwise.d11).
extern const Rule pointwise_where;
/// polar: two real operands give their complex type (pointwise.d12).
extern const Rule pointwise_polar;
/// frexp: a mantissa of the argument's type, and an int32 exponent (pointwise.d13).
extern const Rule pair_of_type;

}  // namespace assay::ops::infer
