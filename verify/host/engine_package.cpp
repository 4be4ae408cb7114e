#include "verify/host/engine_package.h"

#include <filesystem>

namespace assay::verify::host {

std::string engine_package() {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path program = fs::canonical("/proc/self/exe", error);
  for (fs::path up = program.parent_path(); !error && up != up.parent_path();
       up = up.parent_path()) {
    if (fs::exists(up / "python" / "assay" / "__init__.py")) return (up / "python").string();
    if (fs::exists(up / "CMakeCache.txt")) break;  // Not beyond the build's own folder.
  }
  return {};
}

std::string engine_python() { return ASSAY_ENGINE_PYTHON; }

}  // namespace assay::verify::host
