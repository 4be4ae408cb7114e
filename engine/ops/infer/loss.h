#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// nll_loss_forward, nll_loss2d_forward: the loss (per target where nothing is reduced, else one
/// number) and the total weight. Inputs are (n, classes), (classes) or (n, classes, h, w).
extern const Rule loss_pair;
extern const Rule loss_pair_of_planes;  ///< The same of images.

}  // namespace assay::ops::infer
