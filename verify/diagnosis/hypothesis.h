#pragma once

#include <string>
#include <vector>

#include "verify/findings/finding.h"
#include "verify/graph/substitute.h"
#include "verify/run/export.h"

namespace assay::verify::diagnosis {

/// The literals that equal a size of the example, each with the size itself in its place: one after
/// the other, and then all together.
std::vector<std::vector<Substitution>> size_trials(const Program& program,
                                                   const std::string& letter, int64_t size);

/// Makes a finding of the literal in whose place the size itself, or what the subject's trace says
/// that it was, cures the failure.
void describe_size(const Program& program, const Substitution& place, const std::string& letter,
                   int64_t size, Finding& finding);
void describe_origins(const Origins* origins, const Program& program,
                      const std::vector<Substitution>& places, Finding& finding);

/// The first steps of one place that take one element after the other, as a loop's rounds do; empty
/// for none.
std::vector<size_t> repeated_selects(const Program& program);

}  // namespace assay::verify::diagnosis
