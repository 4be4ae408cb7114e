#pragma once

#include <string>
#include <vector>

#include "verify/graph/substitute.h"

namespace assay::verify::diagnosis {

/// The literals that equal a size of the example, each with the size itself in its place: one after
/// the other, and then all together.
std::vector<std::vector<Substitution>> size_trials(const Program& program,
                                                   const std::string& letter, int64_t size);

/// The first steps of one place that take one element after the other, as a loop's rounds do; empty
/// for none.
std::vector<size_t> repeated_selects(const Program& program);

}  // namespace assay::verify::diagnosis
