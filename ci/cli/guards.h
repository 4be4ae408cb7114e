#pragma once

#include <string>

#include "verify/guards/guards.h"

namespace assay::cli {

/// What left a trace, for people: guards, numbers that left the graph, and where they came back as
/// constants.
std::string guards_text(const verify::Origins& origins);

/// The same over the letters of a spec: which conditions can be false in it, and what is fixed that
/// its sizes would change.
std::string guards_text(const verify::guards::Validity& validity);

}  // namespace assay::cli
