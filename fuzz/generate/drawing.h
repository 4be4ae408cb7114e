#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "verify/run/runner.h"
#include "verify/spec/spec.h"

namespace assay::fuzz {

/// The first of the spec's modes in which the model gives something else where its generator has
/// another seed, and the same again where it has the same. An export that has drawn numbers as
/// constants agrees with such a model at the seed that it was made with. `seed`: of the values that
/// the model is tried with.
std::optional<std::string> mode_that_draws(verify::Runner& model, const verify::Spec& spec,
                                           uint64_t seed);

}  // namespace assay::fuzz
