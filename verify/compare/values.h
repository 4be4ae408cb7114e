#pragma once

#include "verify/compare/walk.h"

namespace assay::verify::compare_detail {

/// Compares the elements of two tensors of equal shape. Element types may differ: then both are
/// read as double (or complex) under the bound of the coarser type.
ValueError compare_values(const core::Tensor& subject, const core::Tensor& reference,
                          const Bound& bound);

/// Adds the pair's values to the findings; nothing for tensors whose shapes differ, that have no
/// bytes (meta) or no elements.
void compare_pair_values(const TensorPair& pair, Collector& out);

}  // namespace assay::verify::compare_detail
