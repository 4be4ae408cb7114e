#pragma once

#include <set>
#include <string>

#include "verify/lint/lint.h"

namespace assay::reports {

/// Version of the document of signs; changes within a major version are additive.
inline constexpr const char* lint_schema_version = "1.0";

/// All signs as one JSON text (reports/lint.schema.json): sorted keys, stable order, equal bytes
/// for equal archives. `path` is the archive's as it was named, `version` the program's.
std::string lint_json(const verify::lint::Report& report, const std::string& path,
                      const std::string& version);

/// The signs of these strengths by source line, what to do about each kind, and a sentence that
/// counts what there is.
std::string lint_text(const verify::lint::Report& report,
                      const std::set<verify::lint::Strength>& shown);

}  // namespace assay::reports
