#pragma once

#include <cstdint>
#include <optional>

#include "verify/cases/case.h"
#include "verify/run/runner.h"
#include "verify/spec/spec.h"

namespace assay::fuzz {

/// A case that a model returned from, and what it returned.
struct Accepted {
  verify::Case at;
  verify::Observation result;
};

/// The first case of a spec that the model accepts, small ones first; nothing where a few tries
/// within a few seconds meet none.
std::optional<Accepted> accepted_case(verify::Runner& model, const verify::Spec& spec,
                                      uint64_t seed);

}  // namespace assay::fuzz
