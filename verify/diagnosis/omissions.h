#pragma once

#include <functional>
#include <vector>

#include "verify/observation/omission.h"
#include "verify/properties/property.h"

namespace assay::verify::diagnosis {

// Faults that no graph of the model can repair, since what a trace lacks there leaves nothing in
// any. They are proven the other way round: by the model that lacks it, too.

/// The property at a failing case with these lines of the model without effect.
using JudgeWithout = std::function<Judgement(const std::vector<Omission>&)>;

/// The checks without which the model gives what the export gives, one after another as they raise.
/// `judgement`: what the property says with all of them. Empty where it is not they.
std::vector<Omission> lost_checks(Judgement judgement, const JudgeWithout& judge);

/// Of the lines of escapes of a kind as few as make the model give what the export gives where they
/// have no effect. Empty where none do.
std::vector<Omission> lost_effects(const std::vector<Escape>& escapes,
                                   bool (*of_kind)(const Escape&), Omission::Kind effect,
                                   const JudgeWithout& judge);

}  // namespace assay::verify::diagnosis
