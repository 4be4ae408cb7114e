#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verify/cases/case.h"

namespace assay::verify::detail {

/// The JSON of a case as part of a larger document.
nlohmann::json case_to_json(const Case& c);
/// Input error on anything that is not a case.
Case case_from_json(const nlohmann::json& json);

}  // namespace assay::verify::detail
