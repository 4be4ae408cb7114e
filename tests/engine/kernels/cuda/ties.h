#pragma once

#include "engine/ops/catalog.h"
#include "engine/ops/context.h"

namespace assay::kernels::testing {

/// Which of equal elements an operator that orders them means, and in which order equal ones come,
/// is left to a device. Checks that the indices in `results` (values, indices) lead to the values,
/// and puts into `results` what can be compared: values in order, zeros without their sign. An
/// error text where an index leads elsewhere.
std::string settle_ties(const ops::Operator& op, const core::Values& args, core::Values& results,
                        ops::Context& reference);
/// Whether the operator is one of those, called so that ties are open.
bool leaves_ties_open(const ops::Operator& op, const core::Values& args);

}  // namespace assay::kernels::testing
