#pragma once

#include <string_view>

#include "engine/core/value.h"

namespace assay::verify {

/// Unsupported error if the value nests too deeply, holds itself, or unfolds to too many parts to
/// be compared, written or named part by part: a program can make such values, and whoever walks
/// them recurses. `what` names the value.
void check_bounded(const core::Value& value, std::string_view what);

}  // namespace assay::verify
