#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// As the input, channels-last where it is; running statistics must have one entry per channel.
extern const Rule batch_norm;
/// As batch_norm, with the saved mean and inverse deviation (empty in evaluation mode).
extern const Rule native_batch_norm;
/// As the input, row-major.
extern const Rule instance_norm;
extern const Rule layer_norm;
/// As layer_norm, with mean and inverse deviation of each row.
extern const Rule native_layer_norm;
extern const Rule group_norm;
/// As group_norm, with mean and inverse deviation of each group.
extern const Rule native_group_norm;
/// weight (rows, ...), indices of any shape -> indices' shape, then a row's.
extern const Rule embedding;
/// As the input; the mask has the input's shape.
extern const Rule masked_softmax;
/// (batch, time, 3 * heads * width) -> query, key and value, each (batch, heads, time, width).
extern const Rule rescale_qkv;

}  // namespace assay::ops::infer
