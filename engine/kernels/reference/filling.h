#pragma once

#include "engine/kernels/common/generator_of.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {

using common::generator_of;

/// Writes every element of a tensor, as the call says.
using Fill = void (*)(const ops::Call&, const core::Tensor&);

/// A kernel that fills the declared result.
template <Fill fill>
void fill_result(ops::Call& c) {
  fill(c, c.out());
}

/// The same for an `out` operator, whose rule has given that argument its size.
template <Fill fill>
void into_out(ops::Call& c) {
  const core::Value& out = c.value(ops::arg::out);
  fill(c, out.to_tensor());
  c.finish(out);
}

/// The same for an operator that fills its first argument.
template <Fill fill>
void in_place(ops::Call& c) {
  fill(c, c.first().to_tensor());
  c.finish(c.first());
}

}  // namespace assay::kernels::reference
