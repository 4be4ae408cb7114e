#pragma once

#include <optional>
#include <string>

#include "verify/graph/align.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

// Where to look where no cause is known.

/// The line of the first step in which two programs differ; nothing where no step has a line.
std::optional<SourceLocation> parts_at(const Program& a, const Program& b,
                                       const Alignment& alignment);

/// The line that makes what stands at a place of the outputs: "output", "output[1]".
std::optional<SourceLocation> made_at(const Program& program, const std::string& place);

}  // namespace assay::verify::diagnosis
