#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// Broadcast of all tensor arguments; dtype by promotion (pointwise.d1).
extern const Rule pointwise;
/// As pointwise; integers and bools give the default float type (exp, div, mean) (pointwise.d2).
extern const Rule pointwise_float;
/// As pointwise with a bool result (comparisons, isnan) (pointwise.d3).
extern const Rule pointwise_bool;
/// Broadcast; the dtype of the first tensor argument.
extern const Rule pointwise_first;
/// As pointwise; complex arguments give their real type (abs, real, angle).
extern const Rule pointwise_real;

}  // namespace assay::ops::infer
