#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/value.h"

namespace assay::verify {

/// A named root of tensors: "args[0]", "kwargs['m']", "output", "state:bn.running_mean".
using AliasRoot = std::pair<std::string, core::Value>;

/// Which places share memory, as `Observation::aliases` holds it: paths below the roots
/// ("output[1]['k']"), grouped by storage, groups of one left out, all sorted. Tensors without
/// elements share nothing that could be observed and are left out.
std::vector<std::vector<std::string>> alias_groups(const std::vector<AliasRoot>& roots);

}  // namespace assay::verify
