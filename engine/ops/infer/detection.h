#pragma once

#include "engine/ops/rule.h"

/// Rules of torchvision's operators on regions of images.
namespace assay::ops::infer {

/// (K, C, pooled height, pooled width) of K regions.
extern const Rule roi_align;
/// The same, and where each element was found.
extern const Rule roi_pool;
/// As `roi_pool`; each bin reads a channel of its own, so that there are as many times fewer.
extern const Rule position_sensitive_pool;
/// As a convolution's; the offsets, and the mask if it is used, fit the result.
extern const Rule deform_conv2d;

}  // namespace assay::ops::infer
