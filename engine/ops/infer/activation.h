#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// Shape, layout and dtype of the first argument.
extern const Rule activation;
/// prelu: as `activation`, but of no other layout than rows and channels-last.
extern const Rule channelwise_activation;
/// log_sigmoid_forward: the result and the buffer that its gradient wants.
extern const Rule activation_pair;
/// glu: the dimension is halved; its size must be even.
extern const Rule gated_half;
/// softmax.int, log_softmax.int: the shape of the first argument; `dtype`, or its own.
extern const Rule softmax_like;
/// _softmax, _log_softmax: as softmax_like; `half_to_float` widens float16.
extern const Rule softmax_half;

}  // namespace assay::ops::infer
