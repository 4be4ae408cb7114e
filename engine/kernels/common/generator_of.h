#pragma once

#include "engine/core/generator.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::common {

/// The generator argument, or the context's.
inline core::Generator& generator_of(const ops::Call& c) {
  bool given = c.has(ops::arg::generator) && c.value(ops::arg::generator).is_generator();
  if (given) return c.value(ops::arg::generator).generator();
  return *c.context.generator;
}

}  // namespace assay::kernels::common
