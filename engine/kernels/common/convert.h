#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/dtype.h"

namespace assay::kernels::common {

/// `count` elements at an even distance from each other.
struct Run {
  core::DType dtype;
  std::byte* data;
  int64_t step;  ///< In bytes; may be 0 or negative.
};

/// Copies elements, cast as PyTorch casts (see cast() in accumulate.h). The runs must not overlap.
void convert(Run from, Run to, int64_t count);

}  // namespace assay::kernels::common
