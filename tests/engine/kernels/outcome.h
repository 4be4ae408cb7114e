#pragma once

#include <string>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/ops/catalog.h"

namespace assay::kernels::testing {

/// An engine that runs all kernels, or the reference kernels only.
api::Engine engine_of(bool reference_only);

/// What a call came to: results, or an error.
struct Outcome {
  core::Values results;
  std::string error;      ///< Empty where there is none.
  bool internal = false;  ///< The error is assay's own.
  base::Resource ran_out_of = base::Resource::none;
  double seconds = 0;  ///< Of the processor.

  bool ran_out() const { return ran_out_of != base::Resource::none; }
};

/// Calls the operator with the generator newly seeded. What a device finds wrong later than the
/// call is part of what it came to, where `device` says whom to wait for.
Outcome run(const api::Engine& engine, const ops::Operator& op, const core::Values& args,
            core::Device device = {});

/// The same where the call spends its arguments (ops::call_spending): nobody else has them.
Outcome run_spending(const api::Engine& engine, const ops::Operator& op, core::Values args);

/// ASSAY_ROW=name looks at one row only.
bool asked_for(const ops::Operator& op);

}  // namespace assay::kernels::testing
