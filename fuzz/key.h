#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fuzz/place_names.h"
#include "verify/cases/case.h"
#include "verify/properties/property.h"

namespace assay::fuzz {

/// What two failures have in common when they count as one, and what a shrunk case must keep.
using KeyOf = std::function<std::string(const verify::Case&, const verify::Judgement&)>;

/// The key as far as it is known without a diagnosis: visibility, headline layer, place in the
/// outputs; for a failure with an error its type, source line and text without numbers.
std::string failure_key(const verify::Case& c, const verify::Judgement& judgement);
/// The same with source lines named by what stands there, so that a key outlives an edit elsewhere.
KeyOf failure_key_by(std::shared_ptr<const PlaceNames> names);

}  // namespace assay::fuzz
