#pragma once

#include <string>

#include "verify/graph/origins.h"

namespace assay::cli {

/// What left a trace, for people: guards, numbers that left the graph, and where they came back as
/// constants.
std::string guards_text(const verify::Origins& origins);

}  // namespace assay::cli
