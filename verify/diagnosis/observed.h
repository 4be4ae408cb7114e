#pragma once

#include <string>

#include "verify/findings/finding.h"
#include "verify/properties/property.h"

namespace assay::verify::diagnosis {

/// The class that the two observations alone speak for, where no graphs could be compared.
/// `reexported`: another export of the model is the same graph, so tracing missed nothing that it
/// could see. What speaks for no class is an unclassified difference (AS121).
std::string observed_class(const Judgement& judgement, const FeatureAxis& axis, bool reexported);

/// Whether it is a difference that no other export would mend: in strides, which are the engine's
/// way to lay elements out, or in state that no graph of a trace keeps.
bool is_beyond_graphs(const Difference& difference);
/// Whether a property is violated by nothing but such differences.
bool differs_beyond_graphs(const Judgement& judgement);

/// Whether nothing differs but what the model keeps.
bool loses_state_alone(const Judgement& judgement);

/// Whether each change of state that the reference's call made is one of a tensor that the subject
/// changed, too, and there is some.
bool keeps_state(const Judgement& judgement);

}  // namespace assay::verify::diagnosis
