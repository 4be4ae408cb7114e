#pragma once

#include <optional>
#include <string>

#include "engine/ir/unit.h"

namespace assay::ir {

/// Why objects of the class cannot stand where the interface is wanted: a method is missing, or its
/// signature takes less or gives more than the interface says. Nothing if they can. A method whose
/// signature is not known before it is compiled is taken as it is.
std::optional<std::string> why_not_implemented(Unit& unit, const core::ClassType& type,
                                               const core::InterfaceType& interface);

}  // namespace assay::ir
