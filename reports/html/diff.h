#pragma once

#include <string>

namespace assay::reports {

/// A unified difference ("- ", "+ ", "  " and "@@" lines) as two columns, what changed within a
/// line marked. Empty for an empty text.
std::string side_by_side(const std::string& diff);

}  // namespace assay::reports
