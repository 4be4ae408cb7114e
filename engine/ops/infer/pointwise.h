#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// Broadcast of all tensor arguments; dtype by promotion.
extern const Rule pointwise;
/// As pointwise, with a number that does not promote and that the result's type must hold
/// (addcmul).
extern const Rule pointwise_number;
/// pow: as pointwise, with the check of an exponent that is a number.
extern const Rule pointwise_power;
/// As pointwise; integers and bools give the default float type (exp, div).
extern const Rule pointwise_float;
/// As pointwise with a bool result (comparisons, isnan).
extern const Rule pointwise_bool;
/// Broadcast; the dtype of the first tensor argument.
extern const Rule pointwise_first;
/// As pointwise; complex arguments give their real type (abs).
extern const Rule pointwise_real;
/// As pointwise_float, then the real type (angle).
extern const Rule pointwise_real_float;
/// float64, or complex128 for complex arguments (float_power).
extern const Rule pointwise_widest;
/// add: as pointwise, with the checks of its alpha.
extern const Rule pointwise_sum;
/// sub, rsub: as pointwise_sum; bool operands are refused.
extern const Rule pointwise_difference;
/// div with a rounding mode: as pointwise, or as pointwise_float where the mode is None.
extern const Rule pointwise_reversed_difference;
extern const Rule pointwise_conjugate;
extern const Rule pointwise_quotient;
/// clamp and its halves: bounds that are numbers take part in promotion.
extern const Rule pointwise_clamp;
/// where: the condition is bool and takes no part in promotion.
extern const Rule pointwise_where;
/// polar: two real operands give their complex type.
extern const Rule pointwise_polar;
/// frexp: a mantissa of the argument's type, and an int32 exponent.
extern const Rule pair_of_type;

}  // namespace assay::ops::infer
