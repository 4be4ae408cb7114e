#pragma once

#include <string>

#include "engine/core/type.h"

namespace assay::ir {

/// A type as it stands after a value in a graph's text: core::Type::str, but with `Future[T]` and
/// `RRef[T]`.
std::string type_text(const core::TypePtr& type);

}  // namespace assay::ir
