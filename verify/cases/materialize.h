#pragma once

#include "verify/cases/case.h"

namespace assay::verify {

/// Copies the arguments of a call with their storages, so that a run cannot change the ones that
/// were given. What was one tensor or storage stays one. Cheaper than to materialize them anew.
Call deep_copy(const Call& from);

}  // namespace assay::verify
