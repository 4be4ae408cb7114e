#pragma once

#include <set>
#include <vector>

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {

/// Steps that carry sizes and entries of inputs to where they are read: they come with whatever
/// needs them.
bool is_glue(const Step& step);

/// Whether the step's operator changes what this operand holds, be it a tensor, a list or a dict.
bool writes_operand(const Step& step, size_t operand);

/// The first of the steps that is no glue, which may have been asked for otherwise; the very first
/// where all are.
size_t first_that_does(const Program& program, size_t begin, size_t end);

/// Every structural difference that belongs to these (positions in ExportDiff::owners), and the
/// wirings that come with them.
std::vector<size_t> all_of(const ExportDiff& view, const std::set<size_t>& owners);

}  // namespace assay::verify::diagnosis
