#pragma once

#include <string>

namespace assay::cli {

/// The file among an archive's extra files that says what left the trace (engine/trace/README.md).
inline constexpr const char* origins_file = "assay/origins.json";

/// What that file says, for people: guards, numbers that left the graph, and where they came back
/// as constants. Input error if it is none of that kind.
std::string guards_text(const std::string& json);

}  // namespace assay::cli
