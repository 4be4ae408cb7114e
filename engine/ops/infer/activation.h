#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// Shape, layout and dtype of the first argument (activation.d1).
extern const Rule activation;
/// log_sigmoid_forward: the result and the buffer that its gradient wants (activation.d2).
extern const Rule activation_pair;
/// glu: the dimension is halved; its size must be even (activation.s1).
extern const Rule gated_half;
/// softmax.int, log_softmax.int: the shape of the first argument; `dtype`, or its own
/// (activation.d3).
extern const Rule softmax_like;
/// _softmax, _log_softmax: as softmax_like; `half_to_float` widens float16 (activation.d4).
extern const Rule softmax_half;

}  // namespace assay::ops::infer
