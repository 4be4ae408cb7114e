#pragma once

#include <optional>
#include <vector>

#include "engine/core/value.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

/// What left the graph while the subject and the export beside it were traced.
struct Escapes {
  const std::vector<Escape>* subject = nullptr;
  const std::vector<Escape>* probe = nullptr;
};

/// The line at which a literal that differs between two exports became a Python number: an escape
/// gave the one value in the subject and the other in the probe. Of several, the nearest above
/// `reader` (the line whose operator reads the literal) in its function, else the only one there
/// is.
std::optional<SourceLocation> captured_at(const Escapes& escapes, const core::Value& in_subject,
                                          const core::Value& in_probe,
                                          const SourceLocation& reader);

/// The line of a condition that the two traces decided differently: the nearest above `reader` in
/// its function, else the first; where none was decided on a tensor, the nearest line above
/// `reader` in its function that gave Python different numbers.
std::optional<SourceLocation> decided_at(const Escapes& escapes, const SourceLocation& reader);

}  // namespace assay::verify::diagnosis
