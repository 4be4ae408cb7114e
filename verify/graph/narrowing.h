#pragma once

#include "verify/graph/program.h"

namespace assay::verify {

/// Whether a program computes in 16 bits by its own word, whatever its inputs are: it casts to
/// them, or has a constant of them. What autocast leaves in a trace.
bool narrows(const Program& program);

}  // namespace assay::verify
