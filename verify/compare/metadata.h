#pragma once

#include "verify/compare/walk.h"

namespace assay::verify::compare_detail {

/// Element type, shape, device and strides of one pair. Strides count where they can be observed:
/// along dimensions of more than one element, of tensors that have elements.
void compare_metadata(const TensorPair& pair, Collector& out);

}  // namespace assay::verify::compare_detail
