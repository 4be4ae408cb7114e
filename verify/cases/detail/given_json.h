#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verify/cases/case.h"

namespace assay::verify::detail {

/// Whether arguments that were given outright can stand in a case's text: at most 64 KiB of plain
/// values and tensors on the host that share no memory.
bool fits_text(const Call& call);
/// Arguments with every element, layouts kept.
nlohmann::json call_to_json(const Call& call);
/// Input error on anything that `call_to_json` would not write.
Call call_from_json(const nlohmann::json& json);
/// Equal in every element, shape, stride and element type.
bool same_call(const Call& a, const Call& b);

}  // namespace assay::verify::detail
