#pragma once

#include <optional>
#include <vector>

#include "verify/cases/point.h"
#include "verify/guards/term.h"

namespace assay::verify::guards {

/// What came of the question whether some sizes of the spec meet conditions.
struct Solution {
  enum class Kind {
    found,    ///< `sizes` meet them.
    none,     ///< No sizes of the spec do.
    unknown,  ///< Neither was seen within the limits.
  };
  Kind kind = Kind::unknown;
  Bindings sizes;
};

/// Looks for sizes of the spec's letters that meet all conditions. A small space is looked through;
/// of a large one the solver finds some, or proves that there are none, within the time that it
/// has; where it gives up, points of the spec near `base` and drawn ones are tried.
Solution solve(const Spec& spec, const std::vector<TermPtr>& conditions, const Point& base);

/// The letters of a size, and the size itself, as a term.
TermPtr term_of(const SizeExpr& size);

}  // namespace assay::verify::guards
