#pragma once

#include <vector>

#include "verify/diagnosis/repair.h"

namespace assay::verify::diagnosis {

// Faults that no graph of the model can repair, since what a trace lacks there leaves nothing in
// any. They are proven the other way round: by the model that lacks it, too.

/// The checks without which the model gives what the export gives, one after another as they raise.
/// `judgement`: what the property says with all of them at the case. Empty where it is not they,
/// and where nothing can be judged (null).
std::vector<Omission> lost_checks(Judgement judgement, const JudgeWithout& judge, const Case& c);

/// Of the lines of escapes of a kind as few as make the model give what the export gives where they
/// have no effect. Empty where none do, and where nothing can be judged (null).
std::vector<Omission> lost_effects(const std::vector<Escape>& escapes,
                                   bool (*of_kind)(const Escape&), Omission::Kind effect,
                                   const JudgeWithout& judge, const Case& c);

}  // namespace assay::verify::diagnosis
