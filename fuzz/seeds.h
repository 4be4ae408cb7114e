#pragma once

#include "fuzz/session.h"

namespace assay::fuzz {

/// Whether the model's answers depend on the seed of its generator, in a mode of the spec. An
/// export that has drawn numbers as constants agrees with such a model at the seed that it was made
/// with, and shows at another one alone. False of a reference that cannot be asked at other seeds,
/// and where the spec says which seeds there are.
bool draws(const SessionRequest& request);

}  // namespace assay::fuzz
