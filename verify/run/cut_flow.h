#pragma once

#include "engine/ops/context.h"
#include "engine/trace/cuts.h"
#include "verify/cases/case.h"
#include "verify/observation/gradient_flow.h"

namespace assay::verify {

/// Has the floating tensors of a call's arguments ask for gradients, as results of something that
/// may be written to. Those that share their memory with another argument, or are laid out in a way
/// of their own, do not: as assay_host/gradients.py has it, for the other side.
void ask_for_gradients(const Call& call, ops::Context& context);

/// What was cut on the way to each tensor of the outputs.
GradientFlow cut_flow(const core::Value& outputs, const trace::CutFollower& followed);

}  // namespace assay::verify
