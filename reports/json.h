#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verify/findings/run_report.h"

namespace assay::reports {

/// Version of the report's format; changes within a major version are additive.
inline constexpr const char* schema_version = "1.6";

/// The run as one JSON document (reports/report.schema.json): sorted keys, stable order, no NaN or
/// infinity tokens (they are strings). With `times` false everything that depends on the clock is
/// left out, so that equal runs give equal bytes.
nlohmann::json to_json(const verify::RunReport& report, bool times = true);
/// The document as text: indented, with a final newline.
std::string json_text(const verify::RunReport& report, bool times = true);

}  // namespace assay::reports
