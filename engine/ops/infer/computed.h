#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

/// The kernel makes the results: their shapes depend on values, or they are no tensors.
extern const Rule computed;
/// As `computed`, for operators whose tensors may live on different devices.
extern const Rule computed_across_devices;
/// As `computed`, for operators that read the counts of packed sequences on the CPU.
extern const Rule computed_beside_counts;
/// Operators of plain values: numbers, texts, lists, dictionaries. Their kernels are composites.
extern const Rule host_value;

}  // namespace assay::ops::infer
