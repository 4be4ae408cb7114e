#pragma once

#include <string>

namespace assay::verify::host {

/// Folder that has the engine's Python package, `assay`, with its own torch: beside the running
/// program as the build makes it (bin/assay, python/assay). Empty where there is none.
std::string engine_package();

/// The interpreter that the package was built for.
std::string engine_python();

}  // namespace assay::verify::host
