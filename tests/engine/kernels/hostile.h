#pragma once

#include "engine/ops/catalog.h"

namespace assay::kernels::testing {

/// Draws arguments that are of the schema's types and otherwise as wrong as they can be: right ones
/// (draw_call), of which some are replaced by other element types, ranks and layouts, empty,
/// 0-dimensional, expanded, overlapping, meta and undefined tensors, extreme integers, NaN and
/// infinities, and lists of wrong lengths.
core::Values draw_hostile_call(const ops::Operator& op);

}  // namespace assay::kernels::testing
