#pragma once

#include <functional>
#include <optional>

#include "verify/findings/finding.h"
#include "verify/properties/property.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// Judges one case with the subject under test.
using Judge = std::function<Judgement(const Case&)>;

/// Measures where along one axis the property holds, every other feature as in `base`. A letter of
/// at most `budget` possible sizes, and every closed list of choices, is measured completely; a
/// larger one at its ends, around `base` and in doubling steps, and then by bisection between
/// neighbours of differing verdict, and in the widest gaps, until so many sizes are measured
/// (`exact` is false then). A size or a choice is right where each of five drawings of values is.
/// Values have no order: a few drawings
/// are judged and counted. With `only`, nothing else can be judged: each size is measured at the
/// first of these cases that has it and all else as in `base`, or, where there is none, at the
/// first that has it.
Boundary measure_boundary(const Spec& spec, const Case& base, const FeatureAxis& axis,
                          const Judge& judge, const std::vector<Case>* only = nullptr,
                          size_t budget = 40);

/// A case that differs from a right one in the boundary's letter alone, and fails.
std::optional<Case> failing_case(const Spec& spec, const Boundary& boundary, const Case& right);

/// Where the values decide, a letter that is right at no size says nothing of itself: the values
/// fail before it.
void leave_open_where_nothing_is_right(Boundary& boundary);

/// The region that a judgement belongs to.
Boundary::Region::Verdict region_of(const Judgement& judgement);

}  // namespace assay::verify
